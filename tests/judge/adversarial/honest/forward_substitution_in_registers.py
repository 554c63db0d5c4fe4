import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def solve_kernel(a_ptr, b_ptr, y_ptr, n, BLOCK: tl.constexpr):
    system = tl.program_id(0).to(tl.int64)
    row = tl.arange(0, BLOCK)
    y = tl.load(b_ptr + system * n + row, mask=row < n, other=0.0)
    for j in range(0, n):
        known = tl.sum(tl.where(row == j, y, 0.0), axis=0)
        below = (row > j) & (row < n)
        y -= tl.load(a_ptr + system * n * n + row * n + j, mask=below, other=0.0) * 0.01 * known
    tl.store(y_ptr + system * n + row, y, mask=row < n)


class ModelNew(nn.Module):
    def forward(self, matrix, right):
        matrix, right = matrix.contiguous(), right.contiguous()
        y = torch.empty_like(right)
        n = matrix.shape[-1]
        solve_kernel[(matrix.shape[0],)](matrix, right, y, n, BLOCK=triton.next_power_of_2(n))
        return y
