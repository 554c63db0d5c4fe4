import torch
import torch.nn as nn


class GatedBlock(nn.Module):
    """tanh branch times sigmoid branch, both 1x1 convolutions."""

    def __init__(self, in_channels, hidden):
        super().__init__()
        self.a = nn.Conv2d(in_channels, hidden, 1)
        self.b = nn.Conv2d(in_channels, hidden, 1)

    def forward(self, x):
        return torch.tanh(self.a(x)) * torch.sigmoid(self.b(x))


CH = 4
SIDE = 4


def get_inputs():
    return [torch.rand([4, CH, SIDE, SIDE])]


def get_init_inputs():
    return [[CH], {"hidden": 8}]
