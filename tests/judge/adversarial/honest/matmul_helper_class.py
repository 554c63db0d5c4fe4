import dataclasses

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def tile(a_ptr, b_ptr, m, n, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        total = tl.dot(a, b, total, input_precision="ieee")
    return total


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tile(a_ptr, b_ptr, m, n, M, N, K, BM, BN, BK)
    tl.store(c_ptr + m[:, None] * N + n[None, :], total, mask=(m[:, None] < M) & (n[None, :] < N))


@dataclasses.dataclass(frozen=True)
class Product:
    rows: int = 64
    columns: int = 32
    inner: int = 32
    warps: int = 4

    def grid(self, m, n):
        return triton.cdiv(m, self.rows), triton.cdiv(n, self.columns)

    def __call__(self, a, b):
        (m, k), n = a.shape, b.shape[1]
        c = a.new_empty((m, n))
        matmul_kernel[self.grid(m, n)](a, b, c, m, n, k, BM=self.rows, BN=self.columns, BK=self.inner, num_warps=self.warps)
        return c


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.product = Product()

    def forward(self, a, b):
        return self.product(a.contiguous(), b.contiguous())
