import torch
import torch.nn as nn


class Model(nn.Module):
    """Max pooling of a channels-last image."""

    def __init__(self, kernel_size: int, stride: int, padding: int):
        super().__init__()
        self.pool = nn.MaxPool2d(kernel_size, stride=stride, padding=padding)

    def forward(self, x):
        return self.pool(x)


BATCH = 32
CHANNELS = 64
SIDE = 224


def get_inputs():
    return [torch.randn(BATCH, CHANNELS, SIDE, SIDE).to(memory_format=torch.channels_last)]


def get_init_inputs():
    return [3, 2, 1]
