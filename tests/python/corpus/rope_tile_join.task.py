import torch
import torch.nn as nn


class Model(nn.Module):
    """Rotary embedding on interleaved pairs, and the transposed result beside it."""

    def __init__(self, seq: int, dim: int, base: float = 10000.0):
        super().__init__()
        inv = base ** (-torch.arange(0, dim, 2).float() / dim)
        angle = torch.arange(seq).float()[:, None] * inv[None, :]
        self.register_buffer("cos", angle.cos())
        self.register_buffer("sin", angle.sin())

    def forward(self, x):
        even, odd = x[..., 0::2], x[..., 1::2]
        rotated = torch.stack([even * self.cos - odd * self.sin, even * self.sin + odd * self.cos], dim=-1)
        y = rotated.flatten(-2)
        return y, y.transpose(-2, -1).contiguous()


HEADS = 64
SEQ = 1024
DIM = 64


def get_inputs():
    return [torch.randn(HEADS, SEQ, DIM)]


def get_init_inputs():
    return [SEQ, DIM]
