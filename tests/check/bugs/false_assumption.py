"""The kernel assumes what its caller does not keep to."""
import torch
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, out_ptr, n, stride, BLOCK: tl.constexpr):
    tl.assume(stride > 1)  # expect: false_hint
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets * stride, mask=mask), mask=mask)


@triton.jit
def caller(x_ptr, out_ptr, n, lengths_ptr, BLOCK: tl.constexpr):
    copy(x_ptr, out_ptr, n, tl.load(lengths_ptr), BLOCK)


x = torch.rand(100, device="cuda")
strides = torch.ones(1, device="cuda", dtype=torch.int32)
out = torch.empty_like(x)
caller[(1,)](x, out, 100, strides, BLOCK=128)
