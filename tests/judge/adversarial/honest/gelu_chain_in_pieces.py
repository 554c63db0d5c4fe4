import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def chain_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n).to(tl.float32)
    gelu = x * tl.sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x))
    tl.store(y_ptr + at, tl.minimum(gelu * 1.5 + 0.25, 2.0), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        step = triton.cdiv(x.shape[0], 4)
        for first in range(0, x.shape[0], step):
            part, out = x[first:first + step], y[first:first + step]
            grid = (triton.cdiv(part.numel(), 1024),)
            chain_kernel[grid](part, out, part.numel(), BLOCK=1024, num_warps=4, num_stages=2)
        return y
