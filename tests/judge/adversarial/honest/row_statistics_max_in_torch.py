import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean_kernel(x_ptr, mean_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * n + at, mask=at < n, other=0.0)
    tl.store(mean_ptr + row, tl.sum(total, axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, x):
        mean = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        mean_kernel[(x.shape[0],)](x, mean, x.shape[1], BLOCK=1024)
        return mean, torch.amax(x, dim=1)
