import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def fused(x_ptr, k_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < n
    x = tl.load(x_ptr + i, mask=ok)
    t = 2.0 / (1.0 + tl.exp(-2.0 * x)) - 1.0
    out = t * tl.load(k_ptr + i, mask=ok) * tl.load(y_ptr + i, mask=ok) + x
    tl.store(o_ptr + i, out, mask=ok)


class ModelNew(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.drop = nn.Dropout(p)

    def forward(self, x, y):
        keep = self.drop(torch.ones_like(x))
        out = torch.empty_like(x)
        fused[(triton.cdiv(x.numel(), 1024),)](x, keep, y, out, x.numel(), BLOCK=1024)
        return out
