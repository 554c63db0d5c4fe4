"""A lane's store goes where another warp may not have loaded yet."""
import torch
import triton
import triton.language as tl


@triton.jit
def reverse(x_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(x_ptr + BLOCK - 1 - offsets, x)  # expect: race


x = torch.rand(1024, device="cuda")
reverse[(1,)](x, BLOCK=1024)
