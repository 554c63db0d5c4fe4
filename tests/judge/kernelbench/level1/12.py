"""Diagonal times matrix without forming the diagonal: every row is scaled by one number."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_rows_kernel(diagonal_ptr, b_ptr, out_ptr, rows, columns, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    row = tl.program_id(0) * BLOCK_R + tl.arange(0, BLOCK_R)
    column = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    mask = (row[:, None] < rows) & (column[None, :] < columns)
    factor = tl.load(diagonal_ptr + row, mask=row < rows, other=0.0)
    offsets = row.to(tl.int64)[:, None] * columns + column[None, :]
    b = tl.load(b_ptr + offsets, mask=mask, other=0.0)
    tl.store(out_ptr + offsets, factor[:, None] * b, mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        A, B = A.contiguous(), B.contiguous()
        rows, columns = B.shape
        out = torch.empty_like(B)
        grid = (triton.cdiv(rows, 8), triton.cdiv(columns, 256))
        scale_rows_kernel[grid](A, B, out, rows, columns, BLOCK_R=8, BLOCK_C=256)
        return out
