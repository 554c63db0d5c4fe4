"""Softmax with one program per row.

The row is read once, kept in registers for the maximum, the exponentials and their sum, and written once.
"""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, row_stride, n_columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_columns
    # Lanes past the end hold -inf: they cannot be the maximum, and their exponential is zero.
    x = tl.load(x_ptr + row * row_stride + columns, mask=mask, other=-float("inf"))
    # Subtracting the maximum first keeps the exponentials from overflowing.
    numerator = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * row_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        out = torch.empty_like(x)
        rows, columns = x.shape
        # `tl.arange` needs a power of two; wide rows get more warps.
        block = triton.next_power_of_2(columns)
        num_warps = 4 if block <= 2048 else 8
        softmax_kernel[(rows,)](x, out, x.stride(0), columns, BLOCK=block, num_warps=num_warps)
        return out
