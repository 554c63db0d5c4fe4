"""Matrix product with block pointers, which check the bounds themselves."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr
):
    tiles_n = tl.cdiv(N, BLOCK_N)
    row = (tl.program_id(0) // tiles_n) * BLOCK_M
    column = (tl.program_id(0) % tiles_n) * BLOCK_N
    a_block = tl.make_block_ptr(a_ptr, (M, K), (K, 1), (row, 0), (BLOCK_M, BLOCK_K), (1, 0))
    b_block = tl.make_block_ptr(b_ptr, (K, N), (N, 1), (0, column), (BLOCK_K, BLOCK_N), (1, 0))
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for _ in range(0, K, BLOCK_K):
        a = tl.load(a_block, boundary_check=(0, 1), padding_option="zero")
        b = tl.load(b_block, boundary_check=(0, 1), padding_option="zero")
        accumulator = tl.dot(a, b, accumulator, input_precision="ieee")
        a_block = tl.advance(a_block, (0, BLOCK_K))
        b_block = tl.advance(b_block, (BLOCK_K, 0))
    c_block = tl.make_block_ptr(c_ptr, (M, N), (N, 1), (row, column), (BLOCK_M, BLOCK_N), (1, 0))
    tl.store(c_block, accumulator.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        A, B = A.contiguous(), B.contiguous()
        (M, K), N = A.shape, B.shape[1]
        out = torch.empty(M, N, device=A.device, dtype=A.dtype)
        grid = (triton.cdiv(M, 64) * triton.cdiv(N, 64),)
        matmul_kernel[grid](A, B, out, M, N, K, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32)
        return out
