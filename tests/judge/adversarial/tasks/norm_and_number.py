import torch
import torch.nn as nn

ROWS = 4096
COLUMNS = 4096


class Model(nn.Module):
    """Normalised rows, and the largest of all as a number."""

    def forward(self, x):
        return x / (1e-6 + x.abs().sum(dim=1, keepdim=True)), x.max().item()


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return []
