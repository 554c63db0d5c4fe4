import torch
import torch.nn as nn


ROWS = 512
COLUMNS = 4096


class Model(nn.Module):
    """A ReLU of inputs that were divided by their largest element."""

    def forward(self, x):
        return torch.relu(x)


def get_inputs():
    x = torch.randn(ROWS, COLUMNS)
    return [x / x.max().item()]


def get_init_inputs():
    return []
