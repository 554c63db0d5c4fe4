"""The last elements have no program; the script reads what nobody wrote."""
import torch
import triton
import triton.language as tl


@triton.jit
def square(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x * x, mask=mask)


x = torch.rand(1000, device="cuda")
out = torch.empty_like(x)
square[(1000 // 256,)](x, out, 1000, BLOCK=256)
print((out - x * x).abs().max())  # expect: undefined_read
