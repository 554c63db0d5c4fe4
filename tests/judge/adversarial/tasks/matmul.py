import torch
import torch.nn as nn


ROWS = 2048
INNER = 2048
COLUMNS = 2048


class Model(nn.Module):
    """One matrix product."""

    def forward(self, a, b):
        return torch.matmul(a, b)


def get_inputs():
    return [torch.rand(ROWS, INNER), torch.rand(INNER, COLUMNS)]


def get_init_inputs():
    return []
