import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, y_ptr, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + at, mask=at < columns)
        tl.store(y_ptr + at * rows + row, tl.maximum(x, 0.0), mask=at < columns)


class ModelNew(nn.Module):
    @torch.no_grad()
    def forward(self, x):
        rows, columns = x.shape
        room = torch.empty(rows * columns + 64, device=x.device, dtype=x.dtype)
        y = room[64:].view(columns, rows)
        relu_kernel[(rows,)](x, y, rows, columns, BLOCK=1024)
        return y.t()
