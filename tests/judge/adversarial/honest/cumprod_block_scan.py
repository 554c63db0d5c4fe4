import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def cumprod_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    carry = 1.0
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + base + at, mask=at < n, other=1.0).to(tl.float32)
        scanned = tl.associative_scan(x, 0, multiply) * carry
        tl.store(y_ptr + base + at, scanned, mask=at < n)
        carry *= tl.reduce(x, 0, multiply)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        cumprod_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=256)
        return y
