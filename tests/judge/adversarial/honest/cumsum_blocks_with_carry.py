import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def cumsum_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    lane = tl.arange(0, BLOCK)
    carry = 0.0
    for start in range(0, n, BLOCK):
        x = tl.load(x_ptr + base + start + lane, mask=start + lane < n, other=0.0).to(tl.float32)
        tl.store(y_ptr + base + start + lane, tl.cumsum(x, axis=0) + carry, mask=start + lane < n)
        carry += tl.sum(x, axis=0)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        cumsum_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=1024)
        return y
