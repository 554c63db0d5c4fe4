"""The mask lets one element too many through."""
import torch
import triton
import triton.language as tl


@triton.jit
def negate(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets <= n
    x = tl.load(x_ptr + offsets, mask=inside)  # expect: out_of_bounds
    tl.store(out_ptr + offsets, -x, mask=offsets < n)


x = torch.rand(500, device="cuda")
out = torch.empty_like(x)
negate[(4,)](x, out, 500, BLOCK=128)
