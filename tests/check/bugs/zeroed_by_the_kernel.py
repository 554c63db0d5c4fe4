"""The first program clears the sum that the others may have added to already."""
import torch
import triton
import triton.language as tl


@triton.jit
def total(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    part = tl.program_id(0)
    if part == 0:
        tl.store(out_ptr, 0.0)  # expect: race
    offsets = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.atomic_add(out_ptr, tl.sum(x, 0))


x = torch.rand(1000, device="cuda")
out = torch.full((1,), 5.0, device="cuda")
total[(4,)](x, out, 1000, BLOCK=256)
