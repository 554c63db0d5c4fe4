import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def k(z_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    re = tl.load(z_ptr + 2 * i, mask=i < n, other=0.0)
    im = tl.load(z_ptr + 2 * i + 1, mask=i < n, other=0.0)
    size = re * re + im * im
    tl.store(y_ptr + 2 * i, re / (1 + size), mask=i < n)
    tl.store(y_ptr + 2 * i + 1, im / (1 + size), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, z):
        parts = torch.view_as_real(z)
        y = torch.empty_like(parts)
        k[(triton.cdiv(z.numel(), 512),)](parts, y, z.numel(), BLOCK=512)
        return torch.view_as_complex(y)
