"""Columns are masked, rows are not."""
import torch
import triton
import triton.language as tl


@triton.jit
def scale(x_ptr, out_ptr, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    at = row[:, None] * columns + column[None, :]
    x = tl.load(x_ptr + at, mask=column[None, :] < columns)  # expect: out_of_bounds
    tl.store(out_ptr + at, x * 3, mask=(column[None, :] < columns) & (row[:, None] < rows))


x = torch.rand(10, 30, device="cuda")
out = torch.empty_like(x)
scale[(3,)](x, out, 10, 30, ROWS=4, COLUMNS=32)
