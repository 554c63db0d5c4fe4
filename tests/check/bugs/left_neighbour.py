"""The first element has no left neighbour."""
import torch
import triton
import triton.language as tl


@triton.jit
def differences(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    here = tl.load(x_ptr + offsets, mask=mask)
    left = tl.load(x_ptr + offsets - 1, mask=mask)  # expect: out_of_bounds
    tl.store(out_ptr + offsets, here - left, mask=mask)


x = torch.rand(256, device="cuda")
out = torch.empty_like(x)
differences[(2,)](x, out, 256, BLOCK=128)
