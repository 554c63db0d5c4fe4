"""The grid is rounded up twice."""
import torch
import triton
import triton.language as tl


@triton.jit
def increment(x_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)  # expect: out_of_bounds
    tl.store(x_ptr + offsets, x + 1)  # expect: out_of_bounds


x = torch.zeros(1024, device="cuda", dtype=torch.int32)
increment[(1024 // 256 + 1,)](x, BLOCK=256)
