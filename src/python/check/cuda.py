"""What torch.cuda and torch.accelerator say beyond what gpu/looks.py has: scripts use more of them than modules do."""
import contextlib
import math
import types

import torch
from gpu.looks import CUDA

from . import launches


class _Event:
    """Between two events lies the modelled time of the launches; of torch's own operators nothing is known."""

    def __init__(self, *args, **kwargs):
        self.seconds, self.launches = 0.0, 0

    def record(self, stream=None):
        self.seconds, self.launches = launches.seconds, launches.launches

    def elapsed_time(self, other):
        return (other.seconds - self.seconds) * 1e3 if other.launches > self.launches else math.nan

    def query(self):
        return True

    def wait(self, stream=None):
        pass

    synchronize = wait


class _Graph:
    """Captured work has run already, once: at its capture."""

    def replay(self):
        raise RuntimeError("tritonrl check executes what a CUDA graph captures once, and cannot replay it: run the script without graphs")

    def capture_begin(self, *args, **kwargs):
        pass

    capture_end = reset = enable_debug_mode = capture_begin


def install():
    def nothing():  # a function for each name: torch's compiler keeps books of functions
        return lambda *args, **kwargs: None
    accelerator = torch.accelerator
    accelerator.is_available = lambda: True
    accelerator.device_count = lambda: 1
    accelerator.current_accelerator = lambda check_available=False: torch.device("cuda")
    accelerator.current_device_index = lambda: 0
    accelerator.current_device_idx = lambda: 0
    accelerator.current_stream = lambda device=None: torch.cuda.current_stream(device)
    for name in ("set_device_index", "set_device_idx", "set_stream", "synchronize", "empty_cache", "reset_peak_memory_stats"):
        setattr(accelerator, name, nothing())
    cuda = torch.cuda
    cuda.Event = _Event
    for name in ("memory_stats", "memory_summary", "set_rng_state", "set_rng_state_all", "cudart"):
        setattr(cuda, name, nothing())
    cuda.memory_stats = lambda device=None: {}
    cuda.get_rng_state = lambda device=None: torch.get_rng_state()
    cuda.get_rng_state_all = lambda: [torch.get_rng_state()]
    cuda.default_generators = (torch.default_generator,)
    cuda.CUDAGraph = _Graph
    cuda.graph = lambda graph, *args, **kwargs: contextlib.nullcontext(graph)
    cuda.nvtx = types.SimpleNamespace(range=lambda *args, **kwargs: contextlib.nullcontext(), range_push=nothing(), range_pop=nothing(), mark=nothing(),
                                      range_start=nothing(), range_end=nothing())
    torch.get_device_module = lambda device=None: torch.cuda if device is None or torch.device(device).type == CUDA.type else torch.cpu
