import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def residual_norm_kernel(x_ptr, r_ptr, w_ptr, b_ptr, y_ptr, total_ptr, n, eps, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    lane = tl.arange(0, BLOCK)
    inside = lane < n
    x = tl.load(x_ptr + base + lane, mask=inside, other=0.0).to(tl.float32)
    total = x + tl.load(r_ptr + base + lane, mask=inside, other=0.0).to(tl.float32)
    tl.store(total_ptr + base + lane, total, mask=inside)
    mean = tl.sum(total, axis=0) / n
    centred = tl.where(inside, total - mean, 0.0)
    rstd = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / n + eps)
    w, b = tl.load(w_ptr + lane, mask=inside), tl.load(b_ptr + lane, mask=inside)
    tl.store(y_ptr + base + lane, centred * rstd * w + b, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x, residual):
        rows, n = x.shape
        both = torch.empty((2, rows, n), device=x.device, dtype=x.dtype)
        residual_norm_kernel[(rows,)](
            x, residual, self.norm.weight, self.norm.bias, both[0], both[1], n, self.norm.eps,
            BLOCK=triton.next_power_of_2(n), num_warps=8)
        return both[0], both[1]
