import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def gelu_expm1_kernel(ptr, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    m = offs < n
    v = tl.load(ptr + offs, mask=m, other=0.0)
    g = 0.5 * v * (1.0 + libdevice.erf(v * 0.7071067811865476))
    g = tl.minimum(g, 3.0)
    tl.store(out + offs, libdevice.expm1(g), mask=m)


class ModelNew(nn.Module):
    def __init__(self, hidden: int):
        super().__init__()
        self.proj = nn.Linear(hidden, hidden)

    def forward(self, x):
        h = self.proj(x)
        out = torch.empty_like(h)
        n = h.numel()
        gelu_expm1_kernel[(triton.cdiv(n, 1024),)](h, out, n, BLOCK=1024)
        return out
