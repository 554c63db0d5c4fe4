import torch
import torch.nn as nn


ROWS = 2048
COLUMNS = 1024


class Model(nn.Module):
    """Rows less their means, and a copy of what came in."""

    def forward(self, x):
        return x - x.mean(dim=1, keepdim=True), x.clone()


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return []
