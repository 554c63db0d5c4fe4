import torch
import torch.nn as nn

ROWS = 4096
COLUMNS = 4096


class Model(nn.Module):
    """Cut to whole sixteenths, towards zero."""

    def forward(self, x):
        return torch.trunc(x * 16) / 16


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return []
