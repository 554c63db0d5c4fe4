import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_stats(x_ptr, max_ptr, min_ptr, norm_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    hi = tl.full((BLOCK,), float("-inf"), tl.float32)
    lo = tl.full((BLOCK,), float("inf"), tl.float32)
    sq = tl.zeros((BLOCK,), tl.float32)
    for s in range(0, n, BLOCK):
        m = s + c < n
        x = tl.load(x_ptr + row * n + s + c, mask=m, other=0.0)
        hi = tl.where(m, tl.maximum(hi, x), hi)
        lo = tl.where(m, tl.minimum(lo, x), lo)
        sq += x * x
    tl.store(max_ptr + row, tl.max(hi, 0))
    tl.store(min_ptr + row, tl.min(lo, 0))
    tl.store(norm_ptr + row, tl.sqrt(tl.sum(sq, 0)))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        rows, n = x.shape
        out = {name: torch.empty(rows, device=x.device) for name in ("max", "min", "norm")}
        row_stats[(rows,)](x, out["max"], out["min"], out["norm"], n, BLOCK=1024)
        return out
