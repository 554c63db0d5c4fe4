import torch
import torch.nn as nn


BATCH = 1024
INPUTS = 4096
OUTPUTS = 4096


class Model(nn.Module):
    """A dense layer and GELU (tanh form)."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)

    def forward(self, x):
        return nn.functional.gelu(self.linear(x), approximate="tanh")


def get_inputs():
    return [torch.rand(BATCH, INPUTS)]


def get_init_inputs():
    return [INPUTS, OUTPUTS]
