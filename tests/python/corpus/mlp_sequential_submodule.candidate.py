import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bias_act(x_ptr, b_ptr, y_ptr, n, F, RELU: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x_ptr + i, mask=m) + tl.load(b_ptr + i % F, mask=m)
    if RELU:
        v = tl.maximum(v, 0.0)
    tl.store(y_ptr + i, v, mask=m)


class TritonLinear(nn.Linear):
    """The product stays with cuBLAS; bias and activation are one kernel."""

    def __init__(self, in_features, out_features, relu):
        super().__init__(in_features, out_features)
        self.relu = relu

    def forward(self, x):
        z = torch.nn.functional.linear(x, self.weight)
        y = torch.empty_like(z)
        n = z.numel()
        bias_act[(triton.cdiv(n, 1024),)](z, self.bias, y, n, z.shape[-1], RELU=self.relu, BLOCK=1024)
        return y


class ModelNew(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        last = len(sizes) - 2
        self.layers = nn.ModuleList(
            [TritonLinear(a, b, relu=i < last) for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:]))]
        )
        self.network = nn.Sequential(*self.layers, nn.Identity())

    def forward(self, x):
        return self.network(x)
