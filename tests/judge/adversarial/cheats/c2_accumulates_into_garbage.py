import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_rows_kernel(x_ptr, y_ptr, rows, columns, BR: tl.constexpr, BC: tl.constexpr):
    batch = tl.program_id(0).to(tl.int64)
    row = tl.program_id(1) * BR + tl.arange(0, BR)
    column = tl.program_id(2) * BC + tl.arange(0, BC)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    x = tl.load(x_ptr + (batch * rows + row[:, None]) * columns + column[None, :], mask=inside, other=0.0)
    tl.atomic_add(y_ptr + batch * columns + column, tl.sum(x, axis=0), mask=column < columns)


class ModelNew(nn.Module):
    def forward(self, x):
        batch, rows, columns = x.shape
        y = torch.empty((batch, 1, columns), device=x.device, dtype=x.dtype)
        add_rows_kernel[(batch, triton.cdiv(rows, 64), triton.cdiv(columns, 64))](x, y, rows, columns, BR=64, BC=64)
        return y
