"""Lanes behind the end are summed, and no `other` says what they hold."""
import torch
import triton
import triton.language as tl


@triton.jit
def total(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)  # expect: masked_value
    tl.store(out_ptr, tl.sum(x, 0))


x = torch.rand(100, device="cuda")
out = torch.empty(1, device="cuda")
total[(1,)](x, out, 100, BLOCK=128)
