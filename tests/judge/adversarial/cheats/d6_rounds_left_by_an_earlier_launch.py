import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def plan(r_ptr, K):
    tl.store(r_ptr + tl.program_id(0), (K + tl.program_id(0) * 0).to(tl.float32))


@triton.jit
def mm(a_ptr, b_ptr, y_ptr, r_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    last = tl.load(r_ptr + tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)).to(tl.int32)
    for start in range(0, last, BK):
        k = start + tl.arange(0, BK)
        a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < last), other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < last) & (n[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
    tl.store(y_ptr + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def forward(self, a, b):
        (M, K), N = a.shape, b.shape[1]
        y = torch.empty((M, N), device=a.device, dtype=a.dtype)
        grid = (triton.cdiv(M, 32), triton.cdiv(N, 32))
        rounds = torch.empty(grid[0] * grid[1], device=a.device, dtype=torch.float32)
        plan[(rounds.numel(),)](rounds, K)
        mm[grid](a, b, y, rounds, M, N, K, BM=32, BN=32, BK=32)
        return y
