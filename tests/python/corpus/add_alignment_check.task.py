import torch
import torch.nn as nn


class Model(nn.Module):
    """Adds shifted copies of one buffer: x[:-1] + x[1:]."""

    def __init__(self):
        super().__init__()

    def forward(self, x):
        return x[:-1] + x[1:]


SIZE = 16777216


def get_inputs():
    return [torch.randn(SIZE + 1)]


def get_init_inputs():
    return []
