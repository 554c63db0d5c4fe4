import torch
import torch.nn as nn


class Model(nn.Module):
    """Three projections of the same input; the query is scaled."""

    def __init__(self, dim: int, heads: int):
        super().__init__()
        self.q = nn.Linear(dim, dim)
        self.k = nn.Linear(dim, dim)
        self.v = nn.Linear(dim, dim)
        self.scale = (dim // heads) ** -0.5

    def forward(self, x):
        return self.q(x) * self.scale, self.k(x), self.v(x)


BATCH = 32
SEQ = 512
DIM = 768
HEADS = 12


def get_inputs():
    return [torch.randn(BATCH, SEQ, DIM)]


def get_init_inputs():
    return [DIM, HEADS]
