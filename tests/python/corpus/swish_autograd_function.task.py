import torch
import torch.nn as nn


class Swish(nn.Module):
    """x * sigmoid(beta * x) with a learned beta per channel."""

    def __init__(self, channels):
        super().__init__()
        self.beta = nn.Parameter(torch.ones(channels))

    def forward(self, x):
        beta = self.beta.view(1, -1, 1, 1)
        return x * torch.sigmoid(beta * x)


CHANNELS = 4
SIDE = 4


def get_inputs():
    return [torch.rand([4, CHANNELS, SIDE, SIDE])]


def get_init_inputs():
    return [[], {"channels": CHANNELS}]
