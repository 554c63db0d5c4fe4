import torch
import torch.nn as nn


class Model(nn.Module):
    """Element-wise hinge: max(0, 1 - x * y)."""

    def __init__(self):
        super().__init__()

    def forward(self, predictions, targets):
        return torch.clamp(1 - predictions * targets, min=0)


BATCH = 4096
DIM = 4096


def get_inputs():
    return [torch.randn(BATCH, DIM), (torch.rand(BATCH, DIM) > 0.5).float() * 2 - 1]


def get_init_inputs():
    return []
