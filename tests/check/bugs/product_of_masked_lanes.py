"""Behind the end of the inner dimension both operands hold anything, and a product adds that up."""
import torch
import triton
import triton.language as tl


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, K, SIZE: tl.constexpr, BLOCK_K: tl.constexpr):
    at = tl.arange(0, SIZE)
    inner = tl.arange(0, BLOCK_K)
    a = tl.load(a_ptr + at[:, None] * K + inner[None, :], mask=inner[None, :] < K, other=1.0)
    b = tl.load(b_ptr + inner[:, None] * SIZE + at[None, :], mask=inner[:, None] < K)  # expect: masked_value
    tl.store(c_ptr + at[:, None] * SIZE + at[None, :], tl.dot(a, b))


a = torch.rand(16, 20, device="cuda", dtype=torch.float16)
b = torch.rand(20, 16, device="cuda", dtype=torch.float16)
c = torch.empty(16, 16, device="cuda")
matmul[(1,)](a, b, c, 20, SIZE=16, BLOCK_K=32)
