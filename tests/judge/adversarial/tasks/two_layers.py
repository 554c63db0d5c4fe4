import torch
import torch.nn as nn


BATCH = 1024
INPUTS = 1024
HIDDEN = 4096
OUTPUTS = 1024


class Model(nn.Module):
    """Two dense layers with SiLU between them."""

    def __init__(self, inputs, hidden, outputs):
        super().__init__()
        self.up = nn.Linear(inputs, hidden)
        self.down = nn.Linear(hidden, outputs)

    def forward(self, x):
        return self.down(nn.functional.silu(self.up(x)))


def get_inputs():
    return [torch.rand(BATCH, INPUTS)]


def get_init_inputs():
    return [INPUTS, HIDDEN, OUTPUTS]
