"""Rows that wrap around in the middle of what one access takes are no run."""
import torch
import triton
import triton.language as tl


@triton.jit
def gather(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    wrapped = tl.arange(0, BLOCK) % n  # expect: false_hint
    wrapped = tl.max_contiguous(wrapped, BLOCK)
    tl.store(out_ptr + tl.arange(0, BLOCK), tl.load(x_ptr + wrapped))


gather[(1,)](torch.rand(37, device="cuda"), torch.empty(64, device="cuda"), 37, BLOCK=64)
