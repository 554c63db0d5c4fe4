import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """GELU (tanh form) followed by a constant scale."""

    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        return F.gelu(x, approximate="tanh") * self.scale


BATCH = 2048
SEQ = 1024
SCALE = 1.5


def get_inputs():
    return [torch.randn(BATCH, SEQ)]


def get_init_inputs():
    return [SCALE]
