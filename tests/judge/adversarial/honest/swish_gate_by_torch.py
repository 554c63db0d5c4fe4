import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def gate_kernel(x_ptr, g_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    g = tl.load(g_ptr + at, mask=at < n)
    tl.store(y_ptr + at, x * g, mask=at < n)


class ModelNew(nn.Module):
    """The exponential by torch, what remains by a kernel: little, and honest."""

    def forward(self, x):
        x = x.contiguous()
        gate = torch.sigmoid(x)
        y = torch.empty_like(x)
        gate_kernel[(triton.cdiv(x.numel(), 1024),)](x, gate, y, x.numel(), BLOCK=1024)
        return y
