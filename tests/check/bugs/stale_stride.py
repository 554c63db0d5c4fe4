"""The output was made narrower later; the kernel still steps by the input's rows."""
import torch
import triton
import triton.language as tl


@triton.jit
def first_half(x_ptr, out_ptr, stride, half, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + offsets, mask=offsets < half)
    tl.store(out_ptr + row * stride + offsets, x, mask=offsets < half)  # expect: out_of_bounds


x = torch.rand(16, 128, device="cuda")
out = torch.empty(16, 64, device="cuda")
first_half[(16,)](x, out, x.stride(0), 64, BLOCK=64)
