import torch
import torch.nn as nn


class ResidualBias(nn.Module):

    def __init__(self, channels):
        super(ResidualBias, self).__init__()
        self.bias = nn.Parameter(torch.rand(1, channels, 1, 1))

    def forward(self, x, y):
        return torch.relu(x + self.bias) + y


def get_inputs():
    return [torch.rand([4, 4, 4, 4]), torch.rand([4, 4, 4, 4])]


def get_init_inputs():
    return [[], {'channels': 4}]
