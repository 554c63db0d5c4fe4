"""The kernel gets a view that begins later, and the length of the whole."""
import torch
import triton
import triton.language as tl


@triton.jit
def clamp(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)  # expect: out_of_bounds
    tl.store(x_ptr + offsets, tl.minimum(x, 1.0), mask=mask)  # expect: out_of_bounds


x = torch.randn(1000, device="cuda")
clamp[(triton.cdiv(1000, 256),)](x[16:], x.numel(), BLOCK=256)
