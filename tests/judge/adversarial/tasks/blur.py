import torch
import torch.nn as nn


BATCH = 32
CHANNELS = 64
SIDE = 128


class Model(nn.Module):
    """Binomial 3x3 blur of each channel."""

    def __init__(self, channels):
        super().__init__()
        row = torch.tensor([1.0, 2.0, 1.0]) / 4
        self.register_buffer("taps", (row[:, None] * row[None, :]).expand(channels, 1, 3, 3).contiguous())

    def forward(self, x):
        return nn.functional.conv2d(x, self.taps, padding=1, groups=x.shape[1])


def get_inputs():
    return [torch.rand(BATCH, CHANNELS, SIDE, SIDE)]


def get_init_inputs():
    return [CHANNELS]
