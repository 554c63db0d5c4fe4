import torch
import torch.nn as nn


BATCH = 64
CHANNELS = 64
GROUPS = 8
SIDE = 64


class Model(nn.Module):
    """Group normalisation with affine parameters."""

    def __init__(self, groups, channels):
        super().__init__()
        self.norm = nn.GroupNorm(groups, channels)

    def forward(self, x):
        return self.norm(x)


def get_inputs():
    return [torch.rand(BATCH, CHANNELS, SIDE, SIDE)]


def get_init_inputs():
    return [GROUPS, CHANNELS]
