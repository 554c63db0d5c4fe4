import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sum_rows_twice(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0)
    total = tl.sum(x, axis=0)
    tl.store(y_ptr + row * 2, total)
    tl.store(y_ptr + row * 2 + 1, total)


class ModelNew(nn.Module):
    def forward(self, x):
        both = torch.empty((x.shape[0], 2), dtype=x.dtype, device=x.device)
        sum_rows_twice[(x.shape[0],)](x, both, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return both[:, 0], both[:, 1]
