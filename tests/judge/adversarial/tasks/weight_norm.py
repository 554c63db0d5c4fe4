import torch
import torch.nn as nn
from torch.nn.utils.parametrizations import weight_norm

BATCH = 1024
INPUTS = 4096
OUTPUTS = 4096


class Model(nn.Module):
    """A dense layer whose weight has a learnt length and a learnt direction."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear = weight_norm(nn.Linear(inputs, outputs))

    def forward(self, x):
        return torch.relu(self.linear(x))


def get_inputs():
    return [torch.rand(BATCH, INPUTS)]


def get_init_inputs():
    return [INPUTS, OUTPUTS]
