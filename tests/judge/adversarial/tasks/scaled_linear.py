import torch
import torch.nn as nn


BATCH = 1024
INPUTS = 4096
OUTPUTS = 4096


class Model(nn.Module):
    """A dense layer whose result is scaled per output and shifted."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)
        self.scale = nn.Parameter(torch.randn(outputs) * 0.5)
        self.shift = nn.Parameter(torch.randn(outputs) * 0.1)

    def forward(self, x):
        return self.linear(x) * self.scale + self.shift


def get_inputs():
    return [torch.rand(BATCH, INPUTS)]


def get_init_inputs():
    return [INPUTS, OUTPUTS]
