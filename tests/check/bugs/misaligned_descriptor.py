"""A tensor descriptor begins in the middle of sixteen bytes."""
import torch
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, out_ptr, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    source = tl.make_tensor_descriptor(x_ptr + 2, [rows, columns], [columns, 1], [ROWS, COLUMNS])  # expect: misaligned
    x = source.load([0, 0])
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out_ptr + at, x)


x = torch.rand(40, 32, device="cuda")
out = torch.empty(16, 32, device="cuda")
copy[(1,)](x, out, 16, 32, ROWS=16, COLUMNS=32)
