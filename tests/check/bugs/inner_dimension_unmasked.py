"""The inner dimension of a product is no multiple of the block, and the loop does not mask it."""
import torch
import triton
import triton.language as tl


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inner = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = tl.load(a_ptr + rows[:, None] * K + (k + inner)[None, :], mask=rows[:, None] < M, other=0.0)  # expect: out_of_bounds
        b = tl.load(b_ptr + (k + inner)[:, None] * N + columns[None, :], mask=columns[None, :] < N, other=0.0)  # expect: out_of_bounds
        total += tl.dot(a, b)
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], total, mask=inside)


a = torch.rand(32, 40, device="cuda", dtype=torch.float16)
b = torch.rand(40, 32, device="cuda", dtype=torch.float16)
c = torch.empty(32, 32, device="cuda")
matmul[(2, 2)](a, b, c, 32, 32, 40, BLOCK=16, BLOCK_K=32)
