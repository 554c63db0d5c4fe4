import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, t_ptr, taps_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n).to(tl.float32)
    y = tl.sigmoid(x * tl.load(t_ptr).to(tl.float32)) * tl.load(taps_ptr).to(tl.float32) + tl.load(taps_ptr + 1).to(tl.float32)
    tl.store(y_ptr + at, y, mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.heat = nn.Parameter(torch.tensor(0.7))
        self.pair = nn.Parameter(torch.tensor([0.25, 0.5]))

    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1024),)](x, self.heat, self.pair, y, x.numel(), BLOCK=1024)
        return y
