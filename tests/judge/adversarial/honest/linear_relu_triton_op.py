import torch
import torch.nn as nn
import triton
import triton.language as tl


from torch.library import triton_op, wrap_triton


@triton.jit
def bias_relu_kernel(y_ptr, b_ptr, out_ptr, N, total, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < total
    v = tl.load(y_ptr + i, mask=ok) + tl.load(b_ptr + i % N, mask=ok)
    tl.store(out_ptr + i, tl.maximum(v, 0.0), mask=ok)


@triton_op("mine::bias_relu", mutates_args={})
def bias_relu(y: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(y)
    wrap_triton(bias_relu_kernel)[(triton.cdiv(y.numel(), 1024),)](y, b, out, y.shape[-1], y.numel(), BLOCK=1024)
    return out


class ModelNew(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)

    def forward(self, x):
        return torch.ops.mine.bias_relu(x @ self.linear.weight.T, self.linear.bias)
