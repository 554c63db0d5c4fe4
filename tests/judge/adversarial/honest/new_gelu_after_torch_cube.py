import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def gelu_kernel(x_ptr, c_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n).to(tl.float32)
    cube = tl.load(c_ptr + at, mask=at < n).to(tl.float32)
    u = 0.7978845608028654 * (x + 0.044715 * cube)
    e = tl.exp(-2.0 * tl.abs(u))
    t = tl.where(u < 0, -(1 - e) / (1 + e), (1 - e) / (1 + e))
    tl.store(y_ptr + at, 0.5 * x * (1.0 + t), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        gelu_kernel[(triton.cdiv(x.numel(), 1024),)](x, torch.pow(x, 3.0), y, x.numel(), BLOCK=1024)
        return y
