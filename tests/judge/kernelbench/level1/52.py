"""Index of the minimum: the reduction yields value and place together, tile by tile."""
import math

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def argmin_kernel(x_ptr, out_ptr, length, inner, tiles, BLOCK_L: tl.constexpr, BLOCK_I: tl.constexpr):
    outer = (tl.program_id(0) // tiles).to(tl.int64)
    column = (tl.program_id(0) % tiles) * BLOCK_I + tl.arange(0, BLOCK_I)
    row = tl.arange(0, BLOCK_L)
    base = x_ptr + outer * length * inner
    best = tl.full((BLOCK_I,), float("inf"), dtype=tl.float32)
    place = tl.zeros((BLOCK_I,), dtype=tl.int32)
    for start in range(0, length, BLOCK_L):
        mask = (start + row < length)[:, None] & (column < inner)[None, :]
        offsets = (start + row).to(tl.int64)[:, None] * inner + column[None, :]
        x = tl.load(base + offsets, mask=mask, other=float("inf")).to(tl.float32)
        lowest, index = tl.min(x, axis=0, return_indices=True)
        place = tl.where(lowest < best, start + index, place)
        best = tl.minimum(best, lowest)
    tl.store(out_ptr + outer * inner + column, place.to(tl.int64), mask=column < inner)


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
        out = torch.empty(shape, device=x.device, dtype=torch.int64)
        tiles = triton.cdiv(inner, 64)
        argmin_kernel[(outer * tiles,)](x, out, length, inner, tiles, BLOCK_L=64, BLOCK_I=64)
        return out
