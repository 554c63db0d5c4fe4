"""What torch.cuda and Triton say of the target GPU: its figures, streams and events that do nothing, a driver for Triton.

Only looks: no CUDA library is touched."""
import contextlib
import types

import torch
import triton
from torch.overrides import _get_current_function_mode_stack
from torch.utils._device import DeviceContext
from triton.backends.compiler import GPUTarget

CUDA = torch.device("cuda", 0)


def default_device():
    """That of the innermost `with torch.device(...)`; None: none is open. torch's own function makes a tensor to find the index."""
    for mode in reversed(_get_current_function_mode_stack()):
        if isinstance(mode, DeviceContext):
            return CUDA if mode.device.type == "cuda" else mode.device
    return None


class _Stream:
    cuda_stream, stream_id, device, device_index = 0, 0, CUDA, 0

    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False

    def wait_stream(self, *args):
        pass

    wait_event = record_event = synchronize = wait_stream

    def query(self):
        return True

    def is_capturing(self):
        return False


class _Event(_Stream):
    def record(self, *args):
        pass

    wait = record

    def elapsed_time(self, other):
        return 1.0


class _DeviceContext(_Stream):
    idx = 0


_properties = types.SimpleNamespace()  # what torch.cuda says of the device
_driver = None                         # what Triton is told


def look_torch_cuda():
    cuda, properties = torch.cuda, _properties
    for name in ("_lazy_init", "init", "synchronize", "empty_cache", "manual_seed", "manual_seed_all", "seed", "set_device",
                 "reset_peak_memory_stats", "reset_max_memory_allocated", "ipc_collect", "set_stream", "_set_stream_by_id",
                 "set_per_process_memory_fraction", "_exchange_device", "_maybe_exchange_device"):
        setattr(cuda, name, lambda *args, **kwargs: None)  # each its own: torch's compiler keeps books of functions
    for name in ("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved", "current_device"):
        setattr(cuda, name, lambda *args, **kwargs: 0)
    for name in ("is_available", "is_initialized", "is_bf16_supported", "is_tf32_supported"):
        setattr(cuda, name, lambda *args, **kwargs: True)
    cuda.device_count = lambda: 1
    cuda.get_device_properties = lambda device=None: properties
    cuda.get_device_name = lambda device=None: properties.name
    cuda.get_device_capability = lambda device=None: (properties.major, properties.minor)
    cuda.get_arch_list = lambda: [f"sm_{properties.major}{properties.minor}"]
    cuda.mem_get_info = lambda device=None: (properties.total_memory, properties.total_memory)
    cuda.is_current_stream_capturing = lambda: False
    cuda.Stream = cuda.ExternalStream = _Stream
    cuda.Event = _Event
    cuda.current_stream = lambda device=None: _Stream()
    cuda.default_stream = lambda device=None: _Stream()
    cuda.stream = lambda stream: contextlib.nullcontext(stream)
    cuda.device = cuda.device_of = cuda._DeviceGuard = _DeviceContext
    torch.backends.cudnn.is_acceptable = lambda tensor: False  # weights of recurrent layers are packed by the runner's own torch
    torch.version.cuda = torch.version.cuda or "13.0"
    torch._C._cuda_getCurrentRawStream = lambda device: 0
    torch._C._cuda_getDevice = lambda: 0
    guards = torch._C._dynamo.guards  # the functions that compiled modules import by name
    guards._empty_strided_cuda = lambda size, stride, dtype: torch.empty_strided(size, stride, dtype=dtype, device=CUDA)
    guards._reinterpret_tensor = lambda t, size, stride, offset=0: torch.as_strided(t, size, stride, t.storage_offset() + offset)


def look_autocast():
    """CUDA's autocast casts CUDA tensors; the meta tensors here follow the host's, so that one is entered."""
    init = torch.autocast.__init__

    def patched(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        init(self, "cpu", dtype or torch.float16 if device_type == "cuda" else dtype, enabled, cache_enabled)
    torch.autocast.__init__ = patched


class _Driver:
    """What Triton asks its driver about the current device."""

    def __init__(self):
        self.figures = {}
        self.utils = types.SimpleNamespace(get_device_properties=lambda device: self.figures)

    def get_current_target(self):
        return self.target

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        pass

    def get_current_stream(self, device=None):
        return 0

    def get_active_torch_device(self):
        return CUDA

    def get_device_interface(self):
        return torch.cuda

    def get_benchmarker(self):
        return triton.testing.do_bench


def look_triton():
    global _driver
    _driver = _Driver()
    triton.runtime.driver.set_active(_driver)
    for name in ("do_bench", "do_bench_cudagraph"):  # nothing runs, so nothing has a time
        setattr(triton.testing, name, lambda fn, *args, quantiles=None, **kwargs: [1.0] * len(quantiles) if quantiles else 1.0)


def set_target(target):
    major, minor = target["capability"]
    vars(_properties).update(
        name=target["device_name"], major=major, minor=minor, total_memory=target["memory_bytes"],
        multi_processor_count=target["sm_count"], max_threads_per_multi_processor=target["threads_per_sm"], warp_size=32,
        regs_per_multiprocessor=target["registers_per_sm"], shared_memory_per_block=49152,
        shared_memory_per_block_optin=target["shared_memory_per_block"],
        shared_memory_per_multiprocessor=target["shared_memory_per_block"] + 1024, L2_cache_size=target["l2_bytes"],
        is_integrated=0, is_multi_gpu_board=0, gcnArchName="")
    _driver.target = GPUTarget("cuda", major * 10 + minor, 32)
    _driver.figures = {"max_shared_mem": target["shared_memory_per_block"], "max_num_regs": target["registers_per_sm"],
                       "multiprocessor_count": target["sm_count"], "warpSize": 32, "sm_clock_rate": target["clock_khz"],
                       "mem_clock_rate": 1_000_000, "mem_bus_width": 5120}
