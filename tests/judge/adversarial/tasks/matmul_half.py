import torch
import torch.nn as nn


ROWS = 2048
INNER = 2048
COLUMNS = 2048


class Model(nn.Module):
    """One product of half-precision matrices."""

    def forward(self, a, b):
        return torch.matmul(a, b)


def get_inputs():
    return [torch.rand(ROWS, INNER).half(), torch.rand(INNER, COLUMNS).half()]


def get_init_inputs():
    return []
