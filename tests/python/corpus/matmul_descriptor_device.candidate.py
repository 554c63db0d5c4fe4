import torch
import torch.nn as nn
import triton
import triton.language as tl
from typing import Optional


def _workspace(size: int, align: int, stream: Optional[int]):
    # Descriptors built on the device need scratch memory in global memory.
    return torch.empty(size, device="cuda", dtype=torch.int8)


@triton.jit
def mm_nt_descriptor(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    b_desc = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    c_desc = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    om = tl.program_id(0) * BM
    on = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = a_desc.load([om, k * BK])
        b = b_desc.load([on, k * BK])
        acc = tl.dot(a, b.T, acc)
    c_desc.store([om, on], acc.to(tl.float16))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        triton.set_allocator(_workspace)

    def forward(self, a, b):
        M, K = a.shape
        N = b.shape[0]
        c = torch.empty(M, N, device=a.device, dtype=torch.float16)
        grid = (triton.cdiv(M, 64), triton.cdiv(N, 64))
        mm_nt_descriptor[grid](a, b, c, M, N, K, BM=64, BN=64, BK=64, num_warps=4)
        return c
