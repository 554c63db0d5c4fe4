"""A program reads its neighbour's element, which the neighbour may have changed already."""
import torch
import triton
import triton.language as tl


@triton.jit
def smooth(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    here = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    right = tl.load(x_ptr + offsets + 1, mask=offsets + 1 < n, other=0.0)
    tl.debug_barrier()
    tl.store(x_ptr + offsets, 0.5 * (here + right), mask=offsets < n)  # expect: race


x = torch.rand(512, device="cuda")
smooth[(4,)](x, 512, BLOCK=128)
