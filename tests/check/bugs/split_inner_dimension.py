"""The parts of a product's inner dimension are stored over one another."""
import torch
import triton
import triton.language as tl


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, K, SIZE: tl.constexpr, BLOCK_K: tl.constexpr):
    part = tl.program_id(0)
    at = tl.arange(0, SIZE)
    inner = part * BLOCK_K + tl.arange(0, BLOCK_K)
    a = tl.load(a_ptr + at[:, None] * K + inner[None, :])
    b = tl.load(b_ptr + inner[:, None] * SIZE + at[None, :])
    c = tl.dot(a, b)
    tl.store(c_ptr + at[:, None] * SIZE + at[None, :], c)  # expect: race


a = torch.rand(16, 64, device="cuda", dtype=torch.bfloat16)
b = torch.rand(64, 16, device="cuda", dtype=torch.bfloat16)
c = torch.zeros(16, 16, device="cuda")
matmul[(2,)](a, b, c, 64, SIZE=16, BLOCK_K=32)
