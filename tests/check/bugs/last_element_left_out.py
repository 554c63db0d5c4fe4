"""The mask drops the last element of the output."""
import torch
import triton
import triton.language as tl


@triton.jit
def exponential(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n - 1
    tl.store(out_ptr + offsets, tl.exp(tl.load(x_ptr + offsets, mask=mask)), mask=mask)


x = torch.rand(64, 3, device="cuda")
out = torch.empty_like(x)
exponential[(2,)](x, out, x.numel(), BLOCK=128)
torch.testing.assert_close(out[:32], x[:32].exp())
total = out.sum()  # expect: undefined_read
