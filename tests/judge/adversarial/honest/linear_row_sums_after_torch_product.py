import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.maximum(tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0), 0.0)
    tl.store(y_ptr + row, tl.sum(total, axis=0))


class ModelNew(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs, bias=False)

    def forward(self, x):
        hidden = self.linear(x).contiguous()
        y = torch.empty(hidden.shape[0], device=x.device, dtype=x.dtype)
        sum_kernel[(hidden.shape[0],)](hidden, y, hidden.shape[1], BLOCK=512)
        return y
