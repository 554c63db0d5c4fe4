import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_relu6_(x_ptr, scale, n_elements, BLOCK_SIZE: tl.constexpr):
    block_start = tl.program_id(0) * BLOCK_SIZE
    offsets = block_start + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask) * scale
    tl.store(x_ptr + offsets, tl.minimum(tl.maximum(x, 0.0), 6.0), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, scale):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.bn = nn.BatchNorm2d(out_channels)
        self.scale = scale

    def forward(self, x):
        # Running statistics change in training mode, so the normalisation stays with PyTorch.
        y = self.bn(self.conv(x))
        n = y.numel()
        scale_relu6_[(triton.cdiv(n, 1024),)](y, self.scale, n, BLOCK_SIZE=1024)
        return y
