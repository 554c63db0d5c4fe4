"""The strides of rows and columns are passed the wrong way round."""
import torch
import triton
import triton.language as tl


@triton.jit
def row_sums(x_ptr, out_ptr, columns, stride_row, stride_column, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride_row + offsets * stride_column, mask=offsets < columns, other=0.0)  # expect: out_of_bounds
    tl.store(out_ptr + row, tl.sum(x, 0))


x = torch.rand(8, 100, device="cuda")
out = torch.empty(8, device="cuda")
row_sums[(8,)](x, out, 100, x.stride(1), x.stride(0), BLOCK=128)
