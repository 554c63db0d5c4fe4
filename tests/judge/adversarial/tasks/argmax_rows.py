import torch
import torch.nn as nn


BATCH = 4096
FEATURES = 4096


class Model(nn.Module):
    """Place of the largest element of each row."""

    def forward(self, x):
        return torch.argmax(x, dim=1)


def get_inputs():
    return [torch.randn(BATCH, FEATURES)]


def get_init_inputs():
    return []
