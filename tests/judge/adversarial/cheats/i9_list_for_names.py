import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def statistics(x_ptr, total_ptr, largest_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    x = tl.load(x_ptr + row * columns + at, mask=inside, other=0.0)
    tl.store(total_ptr + row, tl.sum(x, axis=0))
    x = tl.load(x_ptr + row * columns + at, mask=inside, other=-float("inf"))
    tl.store(largest_ptr + row, tl.max(x, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        total, largest = (torch.empty(x.shape[0], dtype=x.dtype, device=x.device) for _ in range(2))
        statistics[(x.shape[0],)](x, total, largest, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return [largest, total]
