import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def residual_kernel(x_ptr, r_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    r = tl.load(r_ptr + at, mask=at < n)
    total = (x + r).to(y_ptr.dtype.element_ty)
    tl.store(y_ptr + at, (total * 0.5).to(y_ptr.dtype.element_ty), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x, residual):
        y = torch.empty_like(x)
        residual_kernel[(triton.cdiv(x.numel(), 2048),)](x, residual, y, x.numel(), BLOCK=2048)
        return y
