import torch
import torch.nn as nn


BATCH = 128
CHANNELS_IN = 64
CHANNELS_OUT = 128
SIDE = 56
KERNEL = 3


class Model(nn.Module):
    """Convolution, an extra bias per channel, ReLU."""

    def __init__(self, channels_in, channels_out, kernel):
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, kernel)
        self.bias = nn.Parameter(torch.randn(channels_out, 1, 1))

    def forward(self, x):
        return torch.relu(self.conv(x) + self.bias)


def get_inputs():
    return [torch.rand(BATCH, CHANNELS_IN, SIDE, SIDE)]


def get_init_inputs():
    return [CHANNELS_IN, CHANNELS_OUT, KERNEL]
