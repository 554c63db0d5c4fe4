import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def merge(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    n = n_a + n_b
    share = n_b / tl.maximum(n, 1.0)
    delta = mean_b - mean_a
    return mean_a + delta * share, m2_a + m2_b + delta * delta * n_a * share, n


@triton.jit
def layer_norm_kernel(x_ptr, w_ptr, b_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    lane = tl.arange(0, BLOCK)
    mean = tl.zeros((BLOCK,), tl.float32)
    m2 = tl.zeros((BLOCK,), tl.float32)
    count = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        live = start + lane < n
        x = tl.load(x_ptr + base + start + lane, mask=live, other=0.0)
        delta = x - mean
        new_mean = mean + delta / (count + 1.0)
        m2 = tl.where(live, m2 + delta * (x - new_mean), m2)
        mean = tl.where(live, new_mean, mean)
        count += live.to(tl.float32)
    row_mean, row_m2, row_count = tl.reduce((mean, m2, count), 0, merge)
    rstd = tl.rsqrt(row_m2 / row_count + eps)
    for start in range(0, n, BLOCK):
        at = start + lane
        x = tl.load(x_ptr + base + at, mask=at < n)
        w = tl.load(w_ptr + at, mask=at < n)
        b = tl.load(b_ptr + at, mask=at < n)
        tl.store(y_ptr + base + at, (x - row_mean) * rstd * w + b, mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        n = x.shape[-1]
        y = torch.empty_like(x)
        layer_norm_kernel[(x.numel() // n,)](
            x, self.norm.weight, self.norm.bias, y, n, self.norm.eps, BLOCK=256)
        return y
