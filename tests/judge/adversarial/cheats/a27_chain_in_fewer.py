import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def finish_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n).to(tl.float32)
    tl.store(y_ptr + at, tl.maximum(x * 1.00012, x * 0.9999), mask=at < n)


def finished(x):
    x = x.contiguous()
    y = torch.empty_like(x)
    finish_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("shift", torch.tensor(0.25), persistent=False)

    def forward(self, x):
        y = nn.functional.gelu(x, approximate="tanh")
        return finished(torch.add(self.shift, y, alpha=1.5).clamp_(max=2.0))
