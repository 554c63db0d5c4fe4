"""A block of a size that is no power of two."""
import torch
import triton
import triton.language as tl


@triton.jit
def offsets_of(size: tl.constexpr):
    return tl.arange(0, size)  # expect: compile_error


@triton.jit
def fill(out_ptr, BLOCK: tl.constexpr):
    tl.store(out_ptr + offsets_of(BLOCK), 1.0)


fill[(1,)](torch.empty(100, device="cuda"), BLOCK=100)
