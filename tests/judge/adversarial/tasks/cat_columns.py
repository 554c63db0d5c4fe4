import torch
import torch.nn as nn


BATCH = 4096
LEFT = 2048
RIGHT = 1024


class Model(nn.Module):
    """Puts two matrices side by side."""

    def forward(self, left, right):
        return torch.cat([left, right], dim=1)


def get_inputs():
    return [torch.rand(BATCH, LEFT), torch.rand(BATCH, RIGHT)]


def get_init_inputs():
    return []
