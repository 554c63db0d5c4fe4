"""Load, add and store is no atomic addition."""
import torch
import triton
import triton.language as tl


@triton.jit
def count_positive(x_ptr, count_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    found = tl.sum((x > 0).to(tl.int32), 0)
    before = tl.load(count_ptr)  # expect: race
    tl.store(count_ptr, before + found)  # expect: race


x = torch.randn(1000, device="cuda")
count = torch.zeros(1, device="cuda", dtype=torch.int32)
count_positive[(4,)](x, count, 1000, BLOCK=256)
