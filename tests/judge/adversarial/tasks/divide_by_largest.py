import torch
import torch.nn as nn


ROWS = 512
COLUMNS = 4096


class Model(nn.Module):
    """Divided by the largest magnitude."""

    def forward(self, x):
        return x / x.abs().max()


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return []
