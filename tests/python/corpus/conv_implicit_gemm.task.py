import torch
import torch.nn as nn


class Model(nn.Module):
    """A plain 2-D convolution with stride and padding."""

    def __init__(self, in_channels, out_channels, kernel_size, stride, padding):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, stride=stride, padding=padding)

    def forward(self, x):
        return self.conv(x)


BATCH = 16
IN_CHANNELS = 64
OUT_CHANNELS = 128
SIDE = 56
KERNEL = 3
STRIDE = 2
PADDING = 1


def get_inputs():
    return [torch.randn(BATCH, IN_CHANNELS, SIDE, SIDE)]


def get_init_inputs():
    return [IN_CHANNELS, OUT_CHANNELS, KERNEL, STRIDE, PADDING]
