import torch
import torch.nn as nn


ROWS = 1024
COLUMNS = 1024


class Model(nn.Module):
    """In double precision."""

    def forward(self, x, y):
        return torch.relu(x) * y + x * 3.0


def get_inputs():
    return [torch.randn(ROWS, COLUMNS, dtype=torch.float64), torch.randn(ROWS, COLUMNS, dtype=torch.float64)]


def get_init_inputs():
    return []
