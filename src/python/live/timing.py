"""Times of a call: as KernelBench takes them, and of the device alone. In microseconds."""
import math
import time

import torch

FLUSH = 32 << 20  # of eight bytes each: several times any L2
LEAST_FLUSHES, MOST_FLUSHES = 4, 400
HOST_MARGIN = 1.5  # the device is kept busy for so many times what the host took the last time


def wall_times(call, device, warmup, trials):
    """One more than `trials`, of which the first is left out: KernelBench's time_execution_with_cuda_event."""
    for _ in range(warmup):
        call()
        _wait(device)
    out = []
    for _ in range(trials + 1):
        _wait(device)
        if device.type == "cuda":
            torch.empty(FLUSH, dtype=torch.int64, device=device).fill_(42)
        out.append(_timed(call, device))
    return out[1:]


def device_times(call, device, warmup, trials):
    """The device's own time: it is busy with flushing its cache while the host hands the call over."""
    for _ in range(warmup):
        call()
    _wait(device)
    if device.type != "cuda":
        return [_timed(call, device) for _ in range(trials)]
    memory = torch.empty(FLUSH, dtype=torch.int64, device=device)
    flush_us = min(_timed(lambda: memory.fill_(1), device) for _ in range(3))
    out, host_us = [], 1000.0
    for trial in range(trials + 1):
        _wait(device)
        flushes = math.ceil(HOST_MARGIN * host_us / flush_us)
        for i in range(min(max(flushes, LEAST_FLUSHES), MOST_FLUSHES)):
            memory.fill_(i)
        begin = time.perf_counter()
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        call()
        end.record()
        host_us = (time.perf_counter() - begin) * 1e6
        _wait(device)
        out.append(start.elapsed_time(end) * 1e3)
    return out[1:]  # the first did not know how long the host takes


def _timed(call, device):
    if device.type != "cuda":
        begin = time.perf_counter()
        call()
        return (time.perf_counter() - begin) * 1e6
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    call()
    end.record()
    _wait(device)
    return start.elapsed_time(end) * 1e3


def _wait(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)
