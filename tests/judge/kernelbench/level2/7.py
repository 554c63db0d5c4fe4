"""Convolution in torch; ReLU, GELU, sigmoid and bias in one pass (after ReLU the leaky ReLU changes nothing)."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def epilogue_kernel(x_ptr, bias_ptr, channels, size, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    channel = offsets // size % channels
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    bias = tl.load(bias_ptr + channel, mask=mask, other=0.0).to(tl.float32)
    x = tl.maximum(x, 0.0)
    x = 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    x = tl.sigmoid(x) + bias
    tl.store(x_ptr + offsets, x, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, bias_shape):
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.bias = nn.Parameter(torch.randn(bias_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x).contiguous()
        count = x.numel()
        # In place: the layer's result belongs to nobody else.
        epilogue_kernel[(triton.cdiv(count, 1024),)](
            x, self.bias, x.shape[1], x[0, 0].numel(), count, BLOCK=1024
        )
        return x
