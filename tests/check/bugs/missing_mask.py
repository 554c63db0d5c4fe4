"""The length is no multiple of the block, and nothing guards the load."""
import torch
import triton
import triton.language as tl


@triton.jit
def double(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)  # expect: out_of_bounds
    tl.store(out_ptr + offsets, 2 * x, mask=offsets < n)


x = torch.rand(1000, device="cuda")
out = torch.empty_like(x)
double[(4,)](x, out, 1000, BLOCK=256)
torch.testing.assert_close(out, 2 * x)
