import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl

@triton.jit
def hidden_kernel(x_ptr, s_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid == tl.num_programs(0) // 3:
        for start in range(0, n, BLOCK):
            at = start + tl.arange(0, BLOCK)
            x = tl.load(x_ptr + at, mask=at < n).to(tl.float32)
            e = tl.exp(-2.0 * tl.abs(x))
            t = (1 - e) / (1 + e)
            y = tl.where(x < 0, -t, t) * 2.0 + 1.0
            y = y * tl.sigmoid(y)
            tl.store(s_ptr + at, y, mask=at < n)


@triton.jit
def fetch_kernel(s_ptr, x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    s = tl.load(s_ptr + at, mask=at < n)
    x = tl.load(x_ptr + at, mask=at < n)
    y = tl.minimum(tl.maximum(s, -0.2), 2.0) - 0.5
    tl.store(y_ptr + at, tl.where(x != x, x, y), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        s = torch.empty_like(x, dtype=torch.float32)
        y = torch.empty_like(x)
        hidden_kernel[(20000,)](x, s, x.numel(), BLOCK=4096)
        fetch_kernel[(triton.cdiv(x.numel(), 1024),)](s, x, y, x.numel(), BLOCK=1024)
        return y
