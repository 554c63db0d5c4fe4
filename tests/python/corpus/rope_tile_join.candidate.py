import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rope_tiles(x_ptr, cos_ptr, sin_ptr, y_ptr, yt_ptr, T, D: tl.constexpr, BLOCK_T: tl.constexpr):
    HALF: tl.constexpr = D // 2
    t = tl.program_id(0) * BLOCK_T + tl.arange(0, BLOCK_T)
    d = tl.arange(0, D)
    h = tl.arange(0, HALF)
    base = tl.program_id(1) * T * D
    m = t[:, None] < T
    x = tl.load(x_ptr + base + t[:, None] * D + d[None, :], mask=m, other=0.0)
    cos = tl.load(cos_ptr + t[:, None] * HALF + h[None, :], mask=m, other=0.0)
    sin = tl.load(sin_ptr + t[:, None] * HALF + h[None, :], mask=m, other=0.0)
    even, odd = tl.split(tl.reshape(x, (BLOCK_T, HALF, 2)))
    first = even * cos - odd * sin
    second = even * sin + odd * cos
    y = tl.interleave(first, second)
    tl.store(y_ptr + base + t[:, None] * D + d[None, :], y, mask=m)
    # The same pairs joined on a new axis, flattened, transposed.
    pairs = tl.join(first, second)
    yt = tl.trans(tl.reshape(pairs, (BLOCK_T, D)))
    tl.store(yt_ptr + base + d[:, None] * T + t[None, :], yt, mask=t[None, :] < T)


class ModelNew(nn.Module):
    def __init__(self, seq: int, dim: int, base: float = 10000.0):
        super().__init__()
        inv = base ** (-torch.arange(0, dim, 2).float() / dim)
        angle = torch.arange(seq).float()[:, None] * inv[None, :]
        self.register_buffer("cos", angle.cos())
        self.register_buffer("sin", angle.sin())

    def forward(self, x):
        H, T, D = x.shape
        y = torch.empty_like(x)
        yt = torch.empty(H, D, T, device=x.device, dtype=x.dtype)
        rope_tiles[(triton.cdiv(T, 32), H)](x, self.cos, self.sin, y, yt, T, D=D, BLOCK_T=32)
        return y, yt
