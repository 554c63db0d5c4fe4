"""Floats are packed behind a header of one byte."""
import torch
import triton
import triton.language as tl


@triton.jit
def unpack(packed_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    values = (packed_ptr + 1).to(tl.pointer_type(tl.float32))
    x = tl.load(values + offsets, mask=mask)  # expect: misaligned
    tl.store(out_ptr + offsets, x, mask=mask)


packed = torch.zeros(1 + 4 * 100, device="cuda", dtype=torch.uint8)
out = torch.empty(100, device="cuda")
unpack[(1,)](packed, out, 100, BLOCK=128)
