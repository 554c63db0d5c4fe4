import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def seeded_dropout_add(x_ptr, r_ptr, y_ptr, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    r = tl.load(r_ptr + i, mask=m)
    # The mask is never stored: it can be drawn again from (seed, offset).
    keep = tl.rand(seed, i) >= p
    tl.store(y_ptr + i, tl.where(keep, x / (1.0 - p), 0.0) + r, mask=m)


class ModelNew(nn.Module):
    def __init__(self, p: float):
        super().__init__()
        self.p = p
        self.seed = 1234

    def forward(self, x, residual):
        p = self.p if self.training else 0.0
        y = torch.empty_like(x)
        n = x.numel()
        seeded_dropout_add[(triton.cdiv(n, 1024),)](x, residual, y, n, p, self.seed, BLOCK=1024)
        return y
