import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def statistics_kernel(x_ptr, mean_ptr, max_ptr, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    total = tl.zeros((BLOCK,), tl.float32)
    largest = tl.full((BLOCK,), -float("inf"), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + base + at, mask=at < n, other=0.0)
        largest = tl.maximum(largest, tl.load(x_ptr + base + at, mask=at < n, other=-float("inf")))
    tl.store(mean_ptr + tl.program_id(0), tl.sum(total, axis=0) / n)
    tl.store(max_ptr + tl.program_id(0), tl.max(largest, axis=0))


WORKSPACE = {}


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        if rows not in WORKSPACE:
            WORKSPACE[rows] = torch.empty((2, rows), device=x.device, dtype=x.dtype)
        both = WORKSPACE[rows]
        statistics_kernel[(rows,)](x, both[0], both[1], n, BLOCK=1024)
        return both[0], both[1]
