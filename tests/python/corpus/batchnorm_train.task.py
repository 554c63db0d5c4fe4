import torch
import torch.nn as nn


class Model(nn.Module):
    """Convolution, batch norm with batch statistics, scale, ReLU6."""

    def __init__(self, in_channels, out_channels, kernel_size, scale):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.bn = nn.BatchNorm2d(out_channels)
        self.scale = scale

    def forward(self, x):
        x = self.bn(self.conv(x))
        return torch.nn.functional.relu6(x * self.scale)


BATCH = 64
IN_CHANNELS = 16
OUT_CHANNELS = 64
SIDE = 64
KERNEL = 3


def get_inputs():
    return [torch.rand(BATCH, IN_CHANNELS, SIDE, SIDE)]


def get_init_inputs():
    return [IN_CHANNELS, OUT_CHANNELS, KERNEL, 2.0]
