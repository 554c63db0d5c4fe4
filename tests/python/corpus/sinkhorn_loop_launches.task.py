import torch
import torch.nn as nn


class SinkhornNorm(nn.Module):
    """Alternates row and column normalisation of a positive matrix."""

    def __init__(self, steps=3):
        super().__init__()
        self.steps = steps

    def forward(self, scores):
        p = torch.exp(scores)
        for _ in range(self.steps):
            p = p / p.sum(dim=-1, keepdim=True)
            p = p / p.sum(dim=-2, keepdim=True)
        return p


SIDE = 4


def get_inputs():
    return [torch.rand([4, 4, SIDE, SIDE])]


def get_init_inputs():
    return [[], {"steps": 2}]
