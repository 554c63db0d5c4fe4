import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _relu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)


@triton.jit
def _silu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x * tl.sigmoid(x), mask=i < n)


@triton.jit
def _softsign(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x / (1.0 + tl.abs(x)), mask=i < n)


@triton.jit
def _hardtanh(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.clamp(x, -1.0, 1.0), mask=i < n)


KERNELS = {"relu": _relu, "silu": _silu, "softsign": _softsign, "hardtanh": _hardtanh}
LAUNCH_OPTIONS = dict(BLOCK=1024, num_warps=4)


def _launch(kernel, *tensors, size, **options):
    kernel[(triton.cdiv(size, options["BLOCK"]),)](*tensors, size, **options)
    return tensors[-1]


class ModelNew(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.names = list(names)

    def forward(self, x):
        n = x.numel()
        buffers = [torch.empty_like(x), torch.empty_like(x)]
        for step, name in enumerate(self.names):
            x = _launch(KERNELS[name], x, buffers[step % 2], size=n, **LAUNCH_OPTIONS)
        return x
