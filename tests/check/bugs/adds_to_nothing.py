"""The output was never cleared, and the kernel adds to it."""
import torch
import triton
import triton.language as tl


@triton.jit
def accumulate(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    before = tl.load(out_ptr + offsets, mask=mask)  # expect: undefined_read
    tl.store(out_ptr + offsets, before + x, mask=mask)


x = torch.rand(300, device="cuda")
out = torch.empty(300, device="cuda")
accumulate[(3,)](x, out, 300, BLOCK=128)
