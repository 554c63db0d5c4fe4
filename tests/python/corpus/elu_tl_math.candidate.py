import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language import math as tmath


@triton.jit
def celu_plus(src, dst, alpha, knee, total, BLOCK: tl.constexpr):
    idx = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = idx < total
    x = tl.load(src + idx, mask=live, other=0.0)
    left = alpha * (tl.math.exp(tl.minimum(x, 0.0) / alpha) - 1.0)
    right = tl.where(x > knee, tl.math.sqrt(tl.maximum(x, knee)), x)
    wave = tmath.log2(1.0 + tl.math.abs(x)) * tmath.cos(x)
    tl.store(dst + idx, tl.where(x > 0, right, left) + wave, mask=live)


class CELUPlus(nn.Module):
    """Same name as the module it replaces."""

    def __init__(self, alpha, knee=1.0):
        super().__init__()
        self.alpha = alpha
        self.knee = knee

    def forward(self, x):
        out = torch.empty(x.size(), dtype=x.dtype, device=x.device)
        celu_plus[triton.cdiv(x.numel(), 512), ](x, out, self.alpha, self.knee, x.numel(), BLOCK=512)
        return out
