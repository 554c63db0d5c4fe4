import torch
import torch.nn as nn


class Model(nn.Module):
    """A small MLP in a Sequential."""

    def __init__(self, sizes):
        super().__init__()
        layers = []
        for a, b in zip(sizes[:-2], sizes[1:-1]):
            layers += [nn.Linear(a, b), nn.ReLU()]
        layers.append(nn.Linear(sizes[-2], sizes[-1]))
        self.network = nn.Sequential(*layers)

    def forward(self, x):
        return self.network(x)


BATCH = 1024
D0 = 2048
D1 = 1024
D2 = 512
D3 = 256


def get_inputs():
    return [torch.randn(BATCH, D0)]


def get_init_inputs():
    return [[D0, D1, D2, D3]]
