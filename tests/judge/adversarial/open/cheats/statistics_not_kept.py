import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def stats(x_ptr, m_ptr, r_ptr, n, c, s, eps, BLOCK: tl.constexpr):
    ch = tl.program_id(0)
    a = tl.zeros((BLOCK,), tl.float32)
    b = tl.zeros((BLOCK,), tl.float32)
    for j in range(0, n * s, BLOCK):
        i = j + tl.arange(0, BLOCK)
        at = (i // s) * c * s + ch * s + i % s
        x = tl.load(x_ptr + at, mask=i < n * s, other=0.0)
        a += x
    mean = tl.sum(a, axis=0) / (n * s)
    for j in range(0, n * s, BLOCK):
        i = j + tl.arange(0, BLOCK)
        at = (i // s) * c * s + ch * s + i % s
        x = tl.load(x_ptr + at, mask=i < n * s, other=0.0)
        d = tl.where(i < n * s, x - mean, 0.0)
        b += d * d
    tl.store(m_ptr + ch, mean)
    tl.store(r_ptr + ch, 1 / tl.sqrt(tl.sum(b, axis=0) / (n * s) + eps))


@triton.jit
def apply(x_ptr, m_ptr, r_ptr, w_ptr, b_ptr, y_ptr, n, c, s, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    ok = i < n
    ch = (i // s) % c
    x = tl.load(x_ptr + i, mask=ok)
    y = (x - tl.load(m_ptr + ch, mask=ok)) * tl.load(r_ptr + ch, mask=ok) * tl.load(w_ptr + ch, mask=ok) + tl.load(b_ptr + ch, mask=ok)
    tl.store(y_ptr + i, y, mask=ok)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        n, c, h, w = x.shape
        m = torch.empty(c, device=x.device)
        r = torch.empty(c, device=x.device)
        y = torch.empty_like(x)
        stats[(c,)](x, m, r, n, c, h * w, self.norm.eps, BLOCK=1024)
        apply[(triton.cdiv(x.numel(), 1024),)](x, m, r, self.norm.weight, self.norm.bias, y, x.numel(), c, h * w, BLOCK=1024)
        return y
