import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Dropout on a branch, then the residual addition (the published setting has p = 0)."""

    def __init__(self, p: float):
        super().__init__()
        self.p = p

    def forward(self, x, residual):
        return F.dropout(x, p=self.p, training=self.training) + residual


BATCH = 4096
DIM = 4096
P = 0.0


def get_inputs():
    return [torch.randn(BATCH, DIM), torch.randn(BATCH, DIM)]


def get_init_inputs():
    return [P]
