import torch
import torch.nn as nn


ROWS = 2048
COLUMNS = 4096


class Model(nn.Module):
    """Times a number that was drawn."""

    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, x):
        return x * self.factor


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return [torch.randint(2, 9, (4,)).max().item()]
