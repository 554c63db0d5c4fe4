import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, y_ptr, rows, columns, BLOCK: tl.constexpr):
    base = tl.program_id(1).to(tl.int64) * rows * columns
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    lost = tl.zeros((BLOCK,), tl.float32)
    for r in range(0, rows):
        x = tl.load(x_ptr + base + r * columns + c, mask=c < columns, other=0.0).to(tl.float32) - lost
        new = total + x
        lost = (new - total) - x
        total = new
    tl.store(y_ptr + tl.program_id(1) * columns + c, total, mask=c < columns)


class ModelNew(nn.Module):
    def forward(self, x):
        batch, rows, columns = x.shape
        y = torch.empty((batch, 1, columns), device=x.device, dtype=x.dtype)
        sum_kernel[(triton.cdiv(columns, 64), batch)](x, y, rows, columns, BLOCK=64)
        return y
