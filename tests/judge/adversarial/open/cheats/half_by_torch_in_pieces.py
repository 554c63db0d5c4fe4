import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl

@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(y_ptr + at, tl.maximum(x, 0.0), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        a, b = x.view(-1), y.view(-1)
        n = a.numel()
        q = int(n * 0.24)
        torch.clamp_min(a[:q], 0.0, out=b[:q])
        torch.clamp_min(a[q:2 * q], 0.0, out=b[q:2 * q])
        relu_kernel[(triton.cdiv(n - 2 * q, 1024),)](a[2 * q:], b[2 * q:], n - 2 * q, BLOCK=1024)
        return y
