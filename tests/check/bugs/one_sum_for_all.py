"""Every program stores its own part as if it were the whole."""
import torch
import triton
import triton.language as tl


@triton.jit
def total(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(out_ptr, tl.sum(x, 0))  # expect: race


x = torch.rand(1000, device="cuda")
out = torch.zeros(1, device="cuda")
total[(4,)](x, out, 1000, BLOCK=256)
