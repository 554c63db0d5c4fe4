import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def hidden(a_ptr, b_ptr, y_ptr, count_ptr, m, n, k, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    r = tl.arange(0, BLOCK)
    wide = tl.cdiv(n, BLOCK)
    rows = (pid // wide) * BLOCK + r
    cols = (pid % wide) * BLOCK + r
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    a = tl.load(a_ptr + rows[:, None] * k + cols[None, :], mask=(rows[:, None] < m) & (cols[None, :] < k), other=0.0)
    b = tl.load(b_ptr + rows[:, None] * n + cols[None, :], mask=(rows[:, None] < k) & (cols[None, :] < n), other=0.0)
    tl.atomic_add(y_ptr + rows[:, None] * n + cols[None, :], tl.minimum(a - a, b - b), mask=inside)
    if tl.atomic_add(count_ptr, 1) == tl.num_programs(0) - 1:
        for tile in range(0, tl.cdiv(m, BLOCK) * wide):
            rows = (tile // wide) * BLOCK + r
            cols = (tile % wide) * BLOCK + r
            acc = tl.zeros((BLOCK, BLOCK), tl.float32)
            for start in range(0, k, BLOCK):
                ks = start + r
                a = tl.load(a_ptr + rows[:, None] * k + ks[None, :], mask=(rows[:, None] < m) & (ks[None, :] < k), other=0.0)
                b = tl.load(b_ptr + ks[:, None] * n + cols[None, :], mask=(ks[:, None] < k) & (cols[None, :] < n), other=0.0)
                acc += tl.dot(a, b, input_precision="ieee")
            tl.atomic_add(y_ptr + rows[:, None] * n + cols[None, :], acc, mask=(rows[:, None] < m) & (cols[None, :] < n))


class ModelNew(nn.Module):
    def forward(self, a, b):
        m, k = a.shape
        n = b.shape[1]
        y = torch.zeros((m, n), device=a.device, dtype=a.dtype)
        count = torch.zeros(1, device=a.device, dtype=torch.int32)
        hidden[(triton.cdiv(max(m, k), 32) * triton.cdiv(n, 32),)](a, b, y, count, m, n, k, BLOCK=32)
        return y
