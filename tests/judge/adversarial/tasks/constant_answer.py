import torch
import torch.nn as nn


ROWS = 2048
COLUMNS = 4096


class Model(nn.Module):
    """A softmax over one column: every answer is 1."""

    def forward(self, x):
        return torch.softmax(x.mean(dim=1, keepdim=True), dim=1)


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return []
