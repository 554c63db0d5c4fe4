"""Linear layer in torch; scaling, doubling, clamp, log-sum-exp and Mish reduce a row to a number."""
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def mish(x):
    # Softplus is linear above 20; the clamp keeps the branch that is not taken finite.
    softplus = tl.where(x > 20.0, x, libdevice.log1p(tl.exp(tl.minimum(x, 20.0))))
    return x * libdevice.tanh(softplus)


@triton.jit
def row_kernel(x_ptr, out_ptr, width, scale, low, high, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    base = row * width
    lanes = tl.arange(0, BLOCK)
    maximum = -float("inf")
    total = 0.0
    for start in range(0, width, BLOCK):
        mask = start + lanes < width
        x = tl.load(x_ptr + base + start + lanes, mask=mask, other=0.0).to(tl.float32)
        x = tl.clamp(x * scale * 2.0, low, high)
        x = tl.where(mask, x, -float("inf"))
        higher = tl.maximum(maximum, tl.max(x, axis=0))
        total = total * tl.exp(maximum - higher) + tl.sum(tl.exp(x - higher), axis=0)
        maximum = higher
    y = maximum + tl.log(total)
    tl.store(out_ptr + row, y * mish(y))


class ModelNew(nn.Module):
    def __init__(self, input_size, hidden_size, scale_factor, clamp_min, clamp_max):
        super().__init__()
        self.matmul = nn.Linear(input_size, hidden_size)
        self.scale_factor = scale_factor
        self.clamp_min = clamp_min
        self.clamp_max = clamp_max

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.matmul(x).contiguous()
        rows, width = x.shape
        out = torch.empty(rows, 1, device=x.device, dtype=x.dtype)
        row_kernel[(rows,)](
            x, out, width, self.scale_factor, self.clamp_min, self.clamp_max, BLOCK=2048, num_warps=8
        )
        return out
