import torch
import torch.nn as nn


BATCH = 1024
INPUTS = 4096
OUTPUTS = 4096


class Model(nn.Module):
    """A dense layer, its largest output less its own mean, GELU: zero whatever goes in."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)

    def forward(self, x):
        y = torch.max(self.linear(x), dim=1, keepdim=True).values
        return nn.functional.gelu(y - y.mean(dim=1, keepdim=True))


def get_inputs():
    return [torch.rand(BATCH, INPUTS)]


def get_init_inputs():
    return [INPUTS, OUTPUTS]
