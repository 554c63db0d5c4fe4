import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    x = tl.load(x_ptr + at, mask=inside)
    tl.store(y_ptr + at, tl.maximum(x, 0.0), mask=inside)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.launches = {}

    def prepared(self, n):
        def launch(x, y):
            relu_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return launch

    def forward(self, x):
        n = x.numel()
        if n not in self.launches:
            self.launches[n] = self.prepared(n)
        y = torch.empty_like(x)
        self.launches[n](x, y)
        return y
