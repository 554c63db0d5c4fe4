import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def tanh_kernel(t_ptr, s_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(t_ptr + at, mask=at < n) * tl.load(s_ptr)
    small = tl.exp(-2.0 * tl.abs(x))
    y = (1.0 - small) / (1.0 + small)
    tl.store(y_ptr + at, tl.where(x < 0, -y, y), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.table = nn.Parameter(torch.randn(rows, columns))

    def forward(self, scale):
        y = torch.empty_like(self.table)
        tanh_kernel[(triton.cdiv(y.numel(), 1024),)](self.table, scale, y, y.numel(), BLOCK=1024)
        return y
