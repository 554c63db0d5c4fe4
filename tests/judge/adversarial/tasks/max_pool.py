import torch
import torch.nn as nn


BATCH = 64
CHANNELS = 64
SIDE = 128
WINDOW = 3
STRIDE = 2
PADDING = 1


class Model(nn.Module):
    """Largest value of each window."""

    def __init__(self, window, stride, padding):
        super().__init__()
        self.window, self.stride, self.padding = window, stride, padding

    def forward(self, x):
        return nn.functional.max_pool2d(x, self.window, self.stride, self.padding)


def get_inputs():
    return [torch.rand(BATCH, CHANNELS, SIDE, SIDE)]


def get_init_inputs():
    return [WINDOW, STRIDE, PADDING]
