import torch
import torch.nn as nn


class Model(nn.Module):
    """Sum of the first powers of the input: x + x^2 + ... + x^degree."""

    def __init__(self, degree: int):
        super().__init__()
        self.degree = degree

    def forward(self, x):
        out = torch.zeros_like(x)
        term = torch.ones_like(x)
        for _ in range(self.degree):
            term = term * x
            out = out + term
        return out


BATCH = 2048
DIM = 4096
DEGREE = 5


def get_inputs():
    return [torch.rand(BATCH, DIM)]


def get_init_inputs():
    return [DEGREE]
