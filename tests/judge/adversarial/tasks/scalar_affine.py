import torch
import torch.nn as nn


BATCH = 4096
FEATURES = 4096


class Model(nn.Module):
    """alpha * tanh(x) + beta, with one learnt number each."""

    def __init__(self):
        super().__init__()
        self.alpha = nn.Parameter(torch.ones(1) * 0.7)
        self.beta = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return self.alpha * torch.tanh(x) + self.beta


def get_inputs():
    return [torch.rand(BATCH, FEATURES)]


def get_init_inputs():
    return []
