import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 4096
DIM = 2048


class Model(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.temperature = nn.Parameter(torch.tensor(0.7))
        self.taps = nn.Parameter(torch.tensor([0.25, 0.5]))

    def forward(self, x):
        return torch.sigmoid(x * self.temperature) * self.taps[0] + self.taps[1]


def get_inputs():
    return [torch.randn(BATCH, DIM)]


def get_init_inputs():
    return [DIM]
