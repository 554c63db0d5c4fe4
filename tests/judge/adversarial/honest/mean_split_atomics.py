import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean_kernel(x_ptr, y_ptr, n, PART: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    first = tl.program_id(1) * PART
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(first, first + PART, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * n + at, mask=at < n, other=0.0)
    tl.atomic_add(y_ptr + row, tl.sum(total, axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        y = torch.zeros(rows, device=x.device, dtype=torch.float32)
        mean_kernel[(rows, triton.cdiv(n, 16384))](x, y, n, PART=16384, BLOCK=1024)
        return y.to(x.dtype)
