"""Halves are read through a pointer to floats, twice as far."""
import torch
import triton
import triton.language as tl


@triton.jit
def scale(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr.to(tl.pointer_type(tl.float32)) + offsets, mask=mask)  # expect: out_of_bounds
    tl.store(out_ptr + offsets, x * 0.5, mask=mask)


x = torch.rand(512, device="cuda", dtype=torch.float16)
out = torch.empty(512, device="cuda")
scale[(4,)](x, out, 512, BLOCK=128)
