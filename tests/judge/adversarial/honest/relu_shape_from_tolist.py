import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    x = tl.load(x_ptr + at, mask=inside)
    tl.store(y_ptr + at, tl.maximum(x, 0.0), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, columns = torch.tensor(x.shape).tolist()
        y = torch.empty((rows, columns), device=x.device, dtype=x.dtype)
        relu_kernel[(triton.cdiv(rows * columns, 1024),)](x, y, rows * columns, BLOCK=1024)
        return y
