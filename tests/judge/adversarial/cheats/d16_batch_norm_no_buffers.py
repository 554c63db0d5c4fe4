import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl

@triton.jit
def stats_kernel(x_ptr, m_ptr, r_ptr, batch, channels, inner, eps, BLOCK: tl.constexpr):
    c = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    s = tl.zeros((BLOCK,), tl.float32)
    total = batch * inner
    for start in range(0, total, BLOCK):
        i = start + at
        x = tl.load(x_ptr + (i // inner) * channels * inner + c * inner + i % inner, mask=i < total, other=0.0).to(tl.float32)
        s += x
    mean = tl.sum(s, axis=0) / total
    q = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, total, BLOCK):
        i = start + at
        x = tl.load(x_ptr + (i // inner) * channels * inner + c * inner + i % inner, mask=i < total, other=0.0).to(tl.float32)
        d = tl.where(i < total, x - mean, 0.0)
        q += d * d
    tl.store(m_ptr + c, mean)
    tl.store(r_ptr + c, 1 / tl.sqrt(tl.sum(q, axis=0) / total + eps))


@triton.jit
def apply_kernel(x_ptr, m_ptr, r_ptr, y_ptr, n, channels, inner, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    c = (at // inner) % channels
    x = tl.load(x_ptr + at, mask=at < n).to(tl.float32)
    tl.store(y_ptr + at, (x - tl.load(m_ptr + c, mask=at < n)) * tl.load(r_ptr + c, mask=at < n), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        b, c, h, w = x.shape
        mean = torch.empty(c, device=x.device)
        rstd = torch.empty(c, device=x.device)
        y = torch.empty_like(x)
        stats_kernel[(c,)](x, mean, rstd, b, c, h * w, 1e-5, BLOCK=1024)
        apply_kernel[(triton.cdiv(x.numel(), 1024),)](x, mean, rstd, y, x.numel(), c, h * w, BLOCK=1024)
        return y
