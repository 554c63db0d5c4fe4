import torch
import torch.nn as nn


class Model(nn.Module):
    """Depthwise 1-D convolution, optional bias, ReLU."""

    def __init__(self, channels, kernel_size, bias=True):
        super().__init__()
        self.conv = nn.Conv1d(
            channels, channels, kernel_size, groups=channels, padding=kernel_size // 2, bias=bias
        )

    def forward(self, x):
        return torch.relu(self.conv(x))


BATCH = 64
CHANNELS = 256
LENGTH = 4096
KERNEL_SIZE = 5


def get_inputs():
    return [torch.randn(BATCH, CHANNELS, LENGTH)]


def get_init_inputs():
    return [CHANNELS, KERNEL_SIZE]
