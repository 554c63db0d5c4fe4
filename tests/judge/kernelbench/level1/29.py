"""Softplus, linear above the usual threshold of 20."""
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def softplus_kernel(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    # The exponent is clamped so that the branch that is not taken cannot overflow.
    y = tl.where(x > 20.0, x, libdevice.log1p(tl.exp(tl.minimum(x, 20.0))))
    tl.store(out_ptr + offsets, y, mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        out = torch.empty_like(x)
        count = x.numel()
        softplus_kernel[(triton.cdiv(count, 1024),)](x, out, count, BLOCK=1024)
        return out
