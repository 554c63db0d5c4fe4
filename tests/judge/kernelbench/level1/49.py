"""Maximum over any dimension."""
import math

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def max_kernel(x_ptr, out_ptr, length, inner, tiles, BLOCK_L: tl.constexpr, BLOCK_I: tl.constexpr):
    outer = (tl.program_id(0) // tiles).to(tl.int64)
    column = (tl.program_id(0) % tiles) * BLOCK_I + tl.arange(0, BLOCK_I)
    row = tl.arange(0, BLOCK_L)
    base = x_ptr + outer * length * inner
    result = tl.full((BLOCK_L, BLOCK_I), -float("inf"), dtype=tl.float32)
    for start in range(0, length, BLOCK_L):
        mask = (start + row < length)[:, None] & (column < inner)[None, :]
        offsets = (start + row).to(tl.int64)[:, None] * inner + column[None, :]
        x = tl.load(base + offsets, mask=mask, other=-float("inf")).to(tl.float32)
        result = tl.maximum(result, x)
    tl.store(out_ptr + outer * inner + column, tl.max(result, axis=0), mask=column < inner)


class ModelNew(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        dim = self.dim % x.dim()
        length = x.shape[dim]
        # What is before the reduced dimension and what is behind it.
        outer, inner = math.prod(x.shape[:dim]), math.prod(x.shape[dim + 1:])
        shape = x.shape[:dim] + x.shape[dim + 1:]
        out = torch.empty(shape, device=x.device, dtype=x.dtype)
        tiles = triton.cdiv(inner, 128)
        max_kernel[(outer * tiles,)](x, out, length, inner, tiles, BLOCK_L=32, BLOCK_I=128)
        return out
