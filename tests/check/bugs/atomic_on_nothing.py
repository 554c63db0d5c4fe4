"""An atomic addition to memory that was never cleared."""
import torch
import triton
import triton.language as tl


@triton.jit
def column_sums(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=mask, other=0.0)
    tl.atomic_add(out_ptr + offsets, x, mask=mask)  # expect: undefined_read


x = torch.rand(5, 60, device="cuda")
out = torch.empty(60, device="cuda")
column_sums[(5,)](x, out, 60, BLOCK=64)
