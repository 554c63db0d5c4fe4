import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, y_ptr, rows, n, BM: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    ones = tl.full((BK, 16), 1.0, tl.float32)
    total = tl.zeros((BM, 16), tl.float32)
    for start in range(0, n, BK):
        k = start + tl.arange(0, BK)
        x = tl.load(x_ptr + m[:, None].to(tl.int64) * n + k[None, :], mask=(m[:, None] < rows) & (k[None, :] < n), other=0.0)
        total = tl.dot(x.to(tl.float32), ones, total, input_precision="ieee")
    tl.store(y_ptr + m, tl.sum(total, axis=1) / 16.0, mask=m < rows)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        sum_kernel[(triton.cdiv(x.shape[0], 16),)](x, y, x.shape[0], x.shape[1], BM=16, BK=64)
        return y
