import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def affine_power(x_ptr, bias_ptr, y_ptr, n, dim, factor, negate, POWER: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    y = tl.full((BLOCK,), 1.0, tl.float32)
    for _ in tl.static_range(POWER):
        y *= x
    y *= factor
    y = tl.where(negate, -y, y)  # a runtime flag
    if bias_ptr is not None:  # None is a compile-time constant
        y += tl.load(bias_ptr + i % dim, mask=m)
    tl.store(y_ptr + i, y, mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, power: int, factor: float, negate: bool, bias=None):
        y = torch.empty_like(x)
        n = x.numel()
        affine_power[(triton.cdiv(n, 1024),)](
            x, bias, y, n, x.shape[-1], factor, negate, POWER=power, BLOCK=1024
        )
        return y
