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


class Launcher:
    def __init__(self, kernel, block):
        self.kernel, self.block, self.grid_cache = kernel, block, {}

    def __call__(self, x):
        n = x.numel()
        if n not in self.grid_cache:
            self.grid_cache[n] = (triton.cdiv(n, self.block),)
        y = torch.empty_like(x)
        with torch.cuda.device(x.device):
            self.kernel[self.grid_cache[n]](x, y, n, BLOCK=self.block)
        return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.launch = Launcher(relu_kernel, 1024)

    def forward(self, x):
        return self.launch(x)
