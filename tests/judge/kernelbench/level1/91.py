"""Running sum from the far end; blocks are taken from the last to the first."""
import math

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def reverse_cumsum_kernel(x_ptr, out_ptr, length, inner, BLOCK: tl.constexpr):
    # One program a line; lines of an inner dimension are strided.
    program = tl.program_id(0).to(tl.int64)
    base = (program // inner) * length * inner + program % inner
    lanes = tl.arange(0, BLOCK)
    carry = 0.0
    blocks = tl.cdiv(length, BLOCK)
    for block in range(0, blocks):
        start = (blocks - 1 - block) * BLOCK
        offsets = base + (start + lanes).to(tl.int64) * inner
        mask = start + lanes < length
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
        tl.store(out_ptr + offsets, carry + tl.cumsum(x, axis=0, reverse=True), mask=mask)
        carry += tl.sum(x, axis=0)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        dim = self.dim % x.dim()
        length, inner = x.shape[dim], math.prod(x.shape[dim + 1:])
        out = torch.empty_like(x)
        reverse_cumsum_kernel[(x.numel() // length,)](x, out, length, inner, BLOCK=2048, num_warps=8)
        return out
