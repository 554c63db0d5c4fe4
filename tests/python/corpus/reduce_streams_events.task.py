import torch
import torch.nn as nn


class Model(nn.Module):
    """Column sums of squares."""

    def __init__(self):
        super().__init__()

    def forward(self, x):
        return torch.sum(x * x, dim=0)


ROWS = 32768
COLS = 1024


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
