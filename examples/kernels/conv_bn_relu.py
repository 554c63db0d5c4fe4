"""Convolution by cuDNN; batch normalisation and ReLU fused into one kernel that works in place.

With stored statistics, batch normalisation is one multiplication and one addition per element:
    y = x * scale + shift,   scale = weight / sqrt(var + eps),   shift = bias - mean * scale
Each program handles part of one channel plane, so its scale and shift are two scalars.
"""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bn_relu_kernel(
    x_ptr, mean_ptr, var_ptr, weight_ptr, bias_ptr, channels, pixels, eps, BLOCK: tl.constexpr,
):
    plane = tl.program_id(1)  # which (image, channel)
    channel = plane % channels
    scale = tl.load(weight_ptr + channel) * tl.rsqrt(tl.load(var_ptr + channel) + eps)
    shift = tl.load(bias_ptr + channel) - tl.load(mean_ptr + channel) * scale
    pixel = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = pixel < pixels
    address = x_ptr + plane * pixels + pixel
    x = tl.load(address, mask=mask)
    tl.store(address, tl.maximum(x * scale + shift, 0.0), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, in_channels: int, out_channels: int):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size=3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(out_channels)
        # The same draws in the same order as in the task, so both modules hold the same numbers.
        for t in (self.bn.weight, self.bn.bias, self.bn.running_mean, self.bn.running_var):
            nn.init.uniform_(t, 0.5, 1.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.conv(x).contiguous()
        batch, channels, height, width = y.shape
        pixels = height * width
        bn = self.bn
        bn_relu_kernel[(triton.cdiv(pixels, 1024), batch * channels)](
            y, bn.running_mean, bn.running_var, bn.weight, bn.bias, channels, pixels, bn.eps, BLOCK=1024
        )
        return y
