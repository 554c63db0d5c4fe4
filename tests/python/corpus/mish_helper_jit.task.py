import torch
import torch.nn as nn
import torch.nn.functional as F


class GatedMish(nn.Module):
    """x * tanh(softplus(x)) gated by a sigmoid of the same input."""

    def __init__(self, beta=1.0):
        super().__init__()
        self.beta = beta

    def forward(self, x):
        act = x * torch.tanh(F.softplus(x))
        return act * torch.sigmoid(self.beta * x)


SIDE = 4


def get_inputs():
    return [torch.rand([SIDE, SIDE, SIDE, SIDE])]


def get_init_inputs():
    return [[], {"beta": 0.5}]
