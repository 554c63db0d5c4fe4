import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_scale_(y_ptr, skip_ptr, alpha, n, BLOCK: tl.constexpr):
    """y <- (y + skip) * alpha, overwriting y."""
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    y = tl.load(y_ptr + o, mask=m)
    s = tl.load(skip_ptr + o, mask=m)
    tl.store(y_ptr + o, (y + s) * alpha, mask=m)


@triton.jit
def relu_square_(y_ptr, n, BLOCK: tl.constexpr):
    """y <- relu(y) ** 2, overwriting y."""
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = o < n
    y = tl.maximum(tl.load(y_ptr + o, mask=m), 0.0)
    tl.store(y_ptr + o, y * y, mask=m)


class ModelNew(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.proj = nn.Linear(dim, dim, bias=False)

    @torch.no_grad()
    def forward(self, x, skip):
        y = self.proj(x)
        n = y.numel()
        grid = (triton.cdiv(n, 1024),)
        add_scale_[grid](y, skip, 0.5, n, BLOCK=1024)
        relu_square_[grid](y, n, BLOCK=1024)
        y.add_(x)
        return y
