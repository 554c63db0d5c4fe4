import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def residual_norm_kernel(x_ptr, r_ptr, w_ptr, b_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    lane = tl.arange(0, BLOCK)
    inside = lane < n
    total = tl.load(x_ptr + base + lane, mask=inside, other=0.0) + tl.load(r_ptr + base + lane, mask=inside, other=0.0)
    tl.store(r_ptr + base + lane, total, mask=inside)
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
        y = torch.empty_like(x)
        residual_norm_kernel[(x.shape[0],)](x, residual, self.norm.weight, self.norm.bias, y, x.shape[1], self.norm.eps,
                                            BLOCK=triton.next_power_of_2(x.shape[1]))
        return y, residual
