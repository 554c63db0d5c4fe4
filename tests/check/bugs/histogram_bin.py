"""The largest value falls behind the last bin."""
import torch
import triton
import triton.language as tl


@triton.jit
def histogram(x_ptr, bins_ptr, n, bins, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    bin = (x * bins).to(tl.int32)
    tl.atomic_add(bins_ptr + bin, 1, mask=mask)  # expect: out_of_bounds


x = torch.linspace(0, 1, 400, device="cuda")
bins = torch.zeros(10, device="cuda", dtype=torch.int32)
histogram[(4,)](x, bins, 400, 10, BLOCK=128)
