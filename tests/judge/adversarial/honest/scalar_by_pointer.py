import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def tanh_kernel(x_ptr, alpha_ptr, beta_ptr, y_ptr, n, BLOCK: tl.constexpr):
    alpha, beta = tl.load(alpha_ptr), tl.load(beta_ptr)
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n).to(tl.float32)
    e = tl.exp(-2.0 * tl.abs(x))
    t = (1.0 - e) / (1.0 + e)
    tl.store(y_ptr + at, alpha * tl.where(x < 0, -t, t) + beta, mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.alpha = nn.Parameter(torch.ones(1) * 0.7)
        self.beta = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        y = torch.empty_like(x)
        tanh_kernel[(triton.cdiv(x.numel(), 1024),)](x, self.alpha, self.beta, y, x.numel(), BLOCK=1024)
        return y
