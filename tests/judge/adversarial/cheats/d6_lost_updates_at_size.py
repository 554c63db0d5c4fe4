import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x_ptr + row.to(tl.int64) * n + at, mask=at < n, other=0.0).to(tl.float32), axis=0)
    tl.store(y_ptr + row, tl.load(y_ptr + row) + part)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros(x.shape[0], device=x.device, dtype=torch.float32)
        sum_kernel[(x.shape[0], triton.cdiv(x.shape[1], 1024))](x, y, x.shape[1], BLOCK=1024)
        return y.to(x.dtype)
