import torch
import torch.nn as nn


class Model(nn.Module):
    """Gives back the normalised rows, and the statistics as a list in a tuple."""

    def __init__(self, eps: float):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1)
        var = x.var(dim=-1, unbiased=False)
        y = (x - mean.unsqueeze(-1)) / torch.sqrt(var.unsqueeze(-1) + self.eps)
        return y, [mean, var]


BATCH = 4096
DIM = 2048


def get_inputs():
    return [torch.randn(BATCH, DIM)]


def get_init_inputs():
    return [1e-5]
