import torch
import torch.nn as nn


class Model(nn.Module):
    """Group normalisation with affine parameters."""

    def __init__(self, num_features: int, num_groups: int):
        super().__init__()
        self.gn = nn.GroupNorm(num_groups=num_groups, num_channels=num_features)

    def forward(self, x):
        return self.gn(x)


BATCH = 64
FEATURES = 64
GROUPS = 8
SIDE = 128


def get_inputs():
    return [torch.rand(BATCH, FEATURES, SIDE, SIDE)]


def get_init_inputs():
    return [FEATURES, GROUPS]
