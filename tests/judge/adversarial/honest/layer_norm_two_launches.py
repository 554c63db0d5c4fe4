import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def statistics_kernel(x_ptr, mean_ptr, rstd_ptr, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + lane, mask=lane < n, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / n
    centred = tl.where(lane < n, x - mean, 0.0)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, tl.rsqrt(tl.sum(centred * centred, axis=0) / n + eps))


@triton.jit
def apply_kernel(x_ptr, mean_ptr, rstd_ptr, w_ptr, b_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + at, mask=at < n)
    w, b = tl.load(w_ptr + at, mask=at < n), tl.load(b_ptr + at, mask=at < n)
    y = (x - tl.load(mean_ptr + row)) * tl.load(rstd_ptr + row) * w + b
    tl.store(y_ptr + row * n + at, y, mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        rows, n = x.shape
        scratch = torch.empty((2, rows), device=x.device, dtype=torch.float32)
        y = torch.empty_like(x)
        norm = self.norm
        statistics_kernel[(rows,)](x, scratch[0], scratch[1], n, norm.eps, BLOCK=triton.next_power_of_2(n))
        grid = (rows, triton.cdiv(n, 512))
        apply_kernel[grid](x, scratch[0], scratch[1], norm.weight, norm.bias, y, n, BLOCK=512)
        return y
