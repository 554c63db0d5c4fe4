import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def tanh_kernel(x_ptr, alpha_ptr, beta_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0).to(tl.float32)
    s = x * x
    t = x * (135135.0 + s * (17325.0 + s * (378.0 + s))) / (135135.0 + s * (62370.0 + s * (3150.0 + 28.0 * s)))
    tl.store(y_ptr + at, tl.load(alpha_ptr) * t + tl.load(beta_ptr), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.alpha = nn.Parameter(torch.ones(1) * 0.7)
        self.beta = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        y = torch.empty_like(x)
        tanh_kernel[(triton.cdiv(x.numel(), 1024),)](x, self.alpha, self.beta, y, x.numel(), BLOCK=1024)
        return y
