import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def fold_kernel(x_ptr, n, half, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = at < half
    low = tl.load(x_ptr + base + at, mask=inside)
    high = tl.load(x_ptr + base + half + at, mask=inside)
    tl.store(x_ptr + base + at, low + high, mask=inside)


@triton.jit
def mean_kernel(x_ptr, y_ptr, n, left, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, left, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + base + at, mask=at < left, other=0.0)
    tl.store(y_ptr + tl.program_id(0), tl.sum(total, axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        y = torch.empty(rows, device=x.device, dtype=x.dtype)
        left = n
        if n % 2 == 0:
            left = n // 2
            fold_kernel[(rows, triton.cdiv(left, 1024))](x, n, left, BLOCK=1024)
        mean_kernel[(rows,)](x, y, n, left, BLOCK=1024)
        return y
