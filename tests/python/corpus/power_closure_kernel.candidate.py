import torch
import torch.nn as nn
import triton
import triton.language as tl


def build_kernel(degree: int, block: int):
    """Makes a kernel specialised to one degree; both numbers are captured by the closure."""
    DEGREE = tl.constexpr(degree)
    BLOCK = tl.constexpr(block)

    @triton.jit
    def power_sum(x_ptr, y_ptr, n):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n, other=0.0)
        total = x
        term = x
        for _ in tl.static_range(DEGREE - 1):
            term = term * x
            total += term
        tl.store(y_ptr + i, total, mask=i < n)

    def launch(x):
        y = torch.empty_like(x)
        power_sum[(triton.cdiv(x.numel(), block),)](x, y, x.numel())
        return y

    return launch


class ModelNew(nn.Module):
    def __init__(self, degree: int):
        super().__init__()
        self.run = build_kernel(degree, 1024)

    def forward(self, x):
        return self.run(x.contiguous())
