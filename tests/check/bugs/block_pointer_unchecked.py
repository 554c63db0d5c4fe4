"""A block pointer reaches over the last row, and nobody asked for a check of that."""
import torch
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, out_ptr, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = tl.program_id(0) * ROWS
    source = tl.make_block_ptr(x_ptr, (rows, columns), (columns, 1), (at, 0), (ROWS, COLUMNS), (1, 0))
    target = tl.make_block_ptr(out_ptr, (rows, columns), (columns, 1), (at, 0), (ROWS, COLUMNS), (1, 0))
    x = tl.load(source, boundary_check=(1,))  # expect: out_of_bounds
    tl.store(target, x, boundary_check=(0, 1))


x = torch.rand(20, 32, device="cuda")
out = torch.empty_like(x)
copy[(2,)](x, out, 20, 32, ROWS=16, COLUMNS=32)
torch.testing.assert_close(out, x)
