"""The kernel promises that rows begin at multiples of sixteen elements."""
import torch
import triton
import triton.language as tl


@triton.jit
def scale_rows(x_ptr, out_ptr, stride, columns, BLOCK: tl.constexpr):
    begin = tl.program_id(0) * stride  # expect: false_hint
    begin = tl.multiple_of(begin, 16)
    offsets = begin + tl.arange(0, BLOCK)
    mask = tl.arange(0, BLOCK) < columns
    tl.store(out_ptr + offsets, 2 * tl.load(x_ptr + offsets, mask=mask), mask=mask)


x = torch.rand(4, 50, device="cuda")
out = torch.empty_like(x)
scale_rows[(4,)](x, out, x.stride(0), 50, BLOCK=64)
torch.testing.assert_close(out, 2 * x)
