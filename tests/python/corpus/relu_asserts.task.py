import torch
import torch.nn as nn


class Model(nn.Module):
    """Clamps negative activations to zero."""

    def __init__(self):
        super(Model, self).__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)


BATCH = 4096
DIM = 8192


def get_inputs():
    return [torch.randn(BATCH, DIM)]


def get_init_inputs():
    return []
