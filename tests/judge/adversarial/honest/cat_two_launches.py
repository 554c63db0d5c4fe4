import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, y_ptr, columns, y_columns, offset, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns)
    tl.store(y_ptr + row * y_columns + offset + at, x, mask=at < columns)


class ModelNew(nn.Module):
    def forward(self, left, right):
        rows, wide = left.shape[0], left.shape[1] + right.shape[1]
        y = torch.empty((rows, wide), device=left.device, dtype=left.dtype)
        offset = 0
        for x in (left, right):
            columns = x.shape[1]
            copy_kernel[(rows, triton.cdiv(columns, 1024))](x, y, columns, wide, offset, BLOCK=1024)
            offset += columns
        return y
