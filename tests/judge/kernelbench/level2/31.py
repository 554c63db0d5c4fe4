"""Convolution in torch; minimum with a constant, bias and scaling in one pass."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def epilogue_kernel(x_ptr, bias_ptr, limit, scaling, channels, size, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    channel = offsets // size % channels
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    bias = tl.load(bias_ptr + channel, mask=mask, other=0.0).to(tl.float32)
    x = (tl.minimum(x, limit) + bias) * scaling
    tl.store(x_ptr + offsets, x, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, constant_value, bias_shape, scaling_factor):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.constant_value = constant_value
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x).contiguous()
        count = x.numel()
        # In place: the layer's result belongs to nobody else.
        epilogue_kernel[(triton.cdiv(count, 1024),)](
            x, self.bias, self.constant_value, self.scaling_factor, x.shape[1], x[0, 0].numel(), count, BLOCK=1024
        )
        return x
