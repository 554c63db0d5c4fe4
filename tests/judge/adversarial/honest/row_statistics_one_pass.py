import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def statistics_kernel(x_ptr, mean_ptr, max_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros((BLOCK,), tl.float32)
    largest = tl.full((BLOCK,), -float("inf"), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + at, mask=at < n, other=0.0)
        total += x
        largest = tl.maximum(largest, tl.where(at < n, x, -float("inf")))
    tl.store(mean_ptr + row, tl.sum(total, axis=0) / n)
    tl.store(max_ptr + row, tl.max(largest, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        mean, largest = x.new_empty(rows), x.new_empty(rows)
        statistics_kernel[(rows,)](x, mean, largest, n, BLOCK=1024)
        return mean, largest
