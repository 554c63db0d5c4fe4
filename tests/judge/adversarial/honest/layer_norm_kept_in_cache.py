import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def layer_norm_kernel(x_ptr, w_ptr, b_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    lane = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        total += tl.load(x_ptr + base + start + lane, mask=start + lane < n, other=0.0, eviction_policy="evict_last").to(tl.float32)
    mean = tl.sum(total, axis=0) / n
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        x = tl.load(x_ptr + base + start + lane, mask=start + lane < n, other=0.0, eviction_policy="evict_last").to(tl.float32)
        centred = tl.where(start + lane < n, x - mean, 0.0)
        squares += centred * centred
    rstd = 1.0 / tl.sqrt(tl.sum(squares, axis=0) / n + eps)
    for start in range(0, n, BLOCK):
        at = start + lane
        x = tl.load(x_ptr + base + at, mask=at < n, eviction_policy="evict_first").to(tl.float32)
        w = tl.load(w_ptr + at, mask=at < n, eviction_policy="evict_last")
        b = tl.load(b_ptr + at, mask=at < n, eviction_policy="evict_last")
        tl.store(y_ptr + base + at, (x - mean) * rstd * w + b, mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        y = torch.empty_like(x)
        layer_norm_kernel[(x.shape[0],)](x, self.norm.weight, self.norm.bias, y, x.shape[1], self.norm.eps, BLOCK=1024)
        return y
