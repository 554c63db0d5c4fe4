import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def relu_kernel(y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    y = tl.load(y_ptr + at, mask=at < n)
    tl.store(y_ptr + at, tl.maximum(y, 0.0), mask=at < n)


class ModelNew(nn.Module):
    """The product stays with torch; its epilogue is done in place."""

    def __init__(self, a, b):
        super().__init__()
        self.fc = nn.Linear(a, b, bias=False)

    def forward(self, x):
        y = self.fc(x)
        relu_kernel[(triton.cdiv(y.numel(), 1024),)](y, y.numel(), BLOCK=1024)
        return y
