"""What torch.cuda and torch.accelerator say beyond what gpu/looks.py has: scripts use more of them than modules do."""
import contextlib
import types

import torch
from gpu.looks import CUDA


class _Graph:
    """Captured work has run already, once: at its capture."""

    def replay(self):
        raise RuntimeError("tritonrl check executes what a CUDA graph captures once, and cannot replay it: run the script without graphs")

    def capture_begin(self, *args, **kwargs):
        pass

    capture_end = reset = enable_debug_mode = capture_begin


def install():
    nothing = lambda *args, **kwargs: None  # noqa: E731
    accelerator = torch.accelerator
    accelerator.is_available = lambda: True
    accelerator.device_count = lambda: 1
    accelerator.current_accelerator = lambda check_available=False: torch.device("cuda")
    accelerator.current_device_index = accelerator.current_device_idx = lambda: 0
    accelerator.current_stream = torch.cuda.current_stream
    for name in ("set_device_index", "set_device_idx", "set_stream", "synchronize", "empty_cache", "reset_peak_memory_stats"):
        setattr(accelerator, name, nothing)
    cuda = torch.cuda
    for name in ("memory_stats", "memory_summary", "set_rng_state", "set_rng_state_all", "cudart"):
        setattr(cuda, name, nothing)
    cuda.memory_stats = lambda device=None: {}
    cuda.get_rng_state = lambda device=None: torch.get_rng_state()
    cuda.get_rng_state_all = lambda: [torch.get_rng_state()]
    cuda.default_generators = (torch.default_generator,)
    cuda.CUDAGraph = _Graph
    cuda.graph = lambda graph, *args, **kwargs: contextlib.nullcontext(graph)
    cuda.nvtx = types.SimpleNamespace(range=lambda *args, **kwargs: contextlib.nullcontext(), range_push=nothing, range_pop=nothing, mark=nothing,
                                      range_start=nothing, range_end=nothing)
    torch.get_device_module = lambda device=None: torch.cuda if device is None or torch.device(device).type == CUDA.type else torch.cpu
