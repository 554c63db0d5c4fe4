import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def norm_kernel(x_ptr, w_ptr, b_ptr, y_ptr, n, eps, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    lane = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + base + lane, mask=lane < n, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / n
    centred = tl.where(lane < n, x - mean, 0.0)
    rstd = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / n + eps)
    w, b = tl.load(w_ptr + lane, mask=lane < n), tl.load(b_ptr + lane, mask=lane < n)
    tl.store(y_ptr + base + lane, centred * rstd * w + b, mask=lane < n)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x, residual):
        total = torch.add(x, residual)
        rows, n = total.shape
        y = torch.empty_like(total)
        block = triton.next_power_of_2(n)
        norm_kernel[(rows,)](total, self.norm.weight, self.norm.bias, y, n, self.norm.eps, BLOCK=block)
        return y, total
