import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def stage_kernel(x_ptr, scratch_ptr, n, padded, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        tl.store(scratch_ptr + row * padded + at, tl.load(x_ptr + row * n + at, mask=at < n) * 0.5, mask=at < n)


@triton.jit
def norm_kernel(scratch_ptr, w_ptr, b_ptr, y_ptr, n, eps, PADDED: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, PADDED)
    x = tl.where(lane < n, tl.load(scratch_ptr + row * PADDED + lane) * 2.0, 0.0)
    mean = tl.sum(x, axis=0) / n
    centred = tl.where(lane < n, x - mean, 0.0)
    rstd = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / n + eps)
    w, b = tl.load(w_ptr + lane, mask=lane < n), tl.load(b_ptr + lane, mask=lane < n)
    tl.store(y_ptr + row * n + lane, centred * rstd * w + b, mask=lane < n)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        rows, n = x.shape
        padded = triton.next_power_of_2(n)
        scratch = torch.empty((rows, padded), device=x.device, dtype=torch.float32)
        y = torch.empty_like(x)
        stage_kernel[(rows,)](x, scratch, n, padded, BLOCK=512)
        norm_kernel[(rows,)](scratch, self.norm.weight, self.norm.bias, y, n, self.norm.eps, PADDED=padded)
        return y
