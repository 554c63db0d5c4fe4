from typing import NamedTuple

import torch
import torch.nn as nn
import triton
import triton.language as tl


class Moments(NamedTuple):
    mean: torch.Tensor
    second: torch.Tensor


@triton.jit
def moments_kernel(x, mean, second, hw, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    s1 = 0.0
    s2 = 0.0
    for start in range(0, hw, BLOCK):
        o = start + tl.arange(0, BLOCK)
        v = tl.load(x + plane * hw + o, mask=o < hw, other=0.0)
        s1 += tl.sum(v)
        s2 += tl.sum(v * v)
    tl.store(mean + plane, s1 / hw)
    tl.store(second + plane, s2 / hw)


class MomentPoolNew(nn.Module):
    def __init__(self, keepdim=False):
        super().__init__()
        self.keepdim = keepdim

    def forward(self, x):
        n, c = x.shape[0], x.shape[1]
        shape = (n, c, 1) if self.keepdim else (n, c)
        mean = torch.empty(shape, device=x.device)
        second = torch.empty(shape, device=x.device)
        moments_kernel[(n * c,)](x.contiguous(), mean, second, x[0, 0].numel(), BLOCK=64)
        return Moments(mean, second)
