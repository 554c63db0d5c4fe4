"""The length is given in bytes."""
import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, value, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, value, mask=offsets < n)  # expect: out_of_bounds


out = torch.empty(100, device="cuda")
size = out.numel() * out.element_size()
fill[(triton.cdiv(size, 128),)](out, size, 7.0, BLOCK=128)
assert (out == 7).all()
