import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def tanh_kernel(x_ptr, a_ptr, b_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n).to(tl.float32)
    t = 2.0 * tl.sigmoid(2.0 * x) - 1.0
    tl.store(y_ptr + at, tl.load(a_ptr) * t + tl.load(b_ptr), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.full((1,), 0.7))
        self.offset = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        y = torch.empty_like(x)
        tanh_kernel[(triton.cdiv(x.numel(), 1024),)](x, self.gain, self.offset, y, x.numel(), BLOCK=1024)
        return y
