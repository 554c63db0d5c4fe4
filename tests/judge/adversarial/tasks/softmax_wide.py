import torch
import torch.nn as nn


BATCH = 1024
FEATURES = 131072


class Model(nn.Module):
    """Softmax of rows so long that every result is below 1e-4."""

    def forward(self, x):
        return torch.softmax(x, dim=1)


def get_inputs():
    return [torch.rand(BATCH, FEATURES)]


def get_init_inputs():
    return []
