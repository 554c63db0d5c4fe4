import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, r_ptr, total_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(total_ptr + at, tl.load(x_ptr + at, mask=at < n) + tl.load(r_ptr + at, mask=at < n), mask=at < n)


@triton.jit
def layer_norm_kernel(x_ptr, w_ptr, b_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    lane = tl.arange(0, BLOCK)
    inside = lane < n
    x = tl.load(x_ptr + base + lane, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / n
    centred = tl.where(inside, x - mean, 0.0)
    rstd = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / n + eps)
    w, b = tl.load(w_ptr + lane, mask=inside), tl.load(b_ptr + lane, mask=inside)
    tl.store(y_ptr + base + lane, centred * rstd * w + b, mask=inside)


def norm_by_kernel(x, weight, bias, eps):
    y = torch.empty_like(x)
    layer_norm_kernel[(x.shape[0],)](x, weight, bias, y, x.shape[1], eps, BLOCK=triton.next_power_of_2(x.shape[1]))
    return y


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x, residual):
        total = torch.empty_like(x)
        add_kernel[(triton.cdiv(x.numel(), 1024),)](x, residual, total, x.numel(), BLOCK=1024)
        return norm_by_kernel(total, self.norm.weight, self.norm.bias, self.norm.eps), total
