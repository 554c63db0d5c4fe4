import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl

@triton.jit
def norm_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    s = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        s += tl.load(x_ptr + base + start + at, mask=start + at < n, other=0.0).to(tl.float32)
    mean = tl.sum(s, axis=0) / n
    q = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        x = tl.load(x_ptr + base + start + at, mask=start + at < n, other=0.0).to(tl.float32)
        d = tl.where(start + at < n, x - mean, 0.0)
        q += d * d
    var = tl.sum(q, axis=0) / n
    r = tl.where(var > 0, 1 / tl.sqrt(var), 0.0)
    for start in range(0, n, BLOCK):
        x = tl.load(x_ptr + base + start + at, mask=start + at < n, other=0.0).to(tl.float32)
        tl.store(y_ptr + base + start + at, (x - mean) * r, mask=start + at < n)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        norm_kernel[(x.shape[0] * x.shape[1],)](x, y, x.shape[2] * x.shape[3], BLOCK=1024)
        return y
