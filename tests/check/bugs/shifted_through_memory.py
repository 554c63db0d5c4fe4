"""Lanes read what other lanes stored, without a barrier between."""
import torch
import triton
import triton.language as tl


@triton.jit
def shift(x_ptr, work_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(work_ptr + offsets, tl.load(x_ptr + offsets))
    shifted = tl.load(work_ptr + offsets - 1, mask=offsets > 0, other=0.0)  # expect: race
    tl.store(out_ptr + offsets, shifted)


x = torch.rand(1024, device="cuda")
work = torch.zeros_like(x)
out = torch.empty_like(x)
shift[(1,)](x, work, out, BLOCK=1024)
