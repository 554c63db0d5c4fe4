"""The mask guards the element, but its neighbour is loaded."""
import torch
import triton
import triton.language as tl


@triton.jit
def pair_sums(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    a = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    b = tl.load(x_ptr + offsets + 1, mask=mask, other=0.0)  # expect: out_of_bounds
    tl.store(out_ptr + offsets, a + b, mask=mask)


x = torch.rand(300, device="cuda", dtype=torch.float16)
out = torch.empty_like(x)
pair_sums[(3,)](x, out, 300, BLOCK=128)
