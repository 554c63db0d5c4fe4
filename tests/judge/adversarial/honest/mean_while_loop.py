import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    lane = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    start = 0
    while start < n:
        total += tl.load(x_ptr + base + start + lane, mask=start + lane < n, other=0.0)
        start += BLOCK
    tl.store(y_ptr + tl.program_id(0), tl.sum(total, axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        mean_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=2048, num_warps=8)
        return y
