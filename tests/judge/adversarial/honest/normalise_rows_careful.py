import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def normalise_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    lane = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + base + lane, mask=lane < n, other=0.0).to(tl.float32)
    top = tl.maximum(tl.max(tl.abs(x), axis=0), 1e-30)
    length = top * tl.sqrt(tl.sum((x / top) * (x / top), axis=0))
    tl.store(y_ptr + base + lane, x / tl.maximum(length, 1e-12), mask=lane < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        normalise_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
