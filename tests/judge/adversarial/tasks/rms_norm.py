import torch
import torch.nn as nn


BATCH = 64
CHANNELS = 64
SIDE = 128


class Model(nn.Module):
    """Divides images by the root mean square over their channels."""

    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        return x / torch.sqrt(torch.mean(x * x, dim=1, keepdim=True) + self.eps)


def get_inputs():
    return [torch.rand(BATCH, CHANNELS, SIDE, SIDE)]


def get_init_inputs():
    return [1e-5]
