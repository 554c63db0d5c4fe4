"""Tiles are stepped by less than they hold."""
import torch
import triton
import triton.language as tl


@triton.jit
def label(out_ptr, n, BLOCK: tl.constexpr, STEP: tl.constexpr):
    part = tl.program_id(0)
    offsets = part * STEP + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.full((BLOCK,), part, tl.int32), mask=offsets < n)  # expect: race


out = torch.empty(448 + 64, device="cuda", dtype=torch.int32)
label[(8,)](out, 512, BLOCK=128, STEP=64)
