import torch
import torch.nn as nn


class Model(nn.Module):
    """Two chained products where rounding matters: (x @ W1) @ W2."""

    def __init__(self, d_in, d_mid, d_out):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(d_in, d_mid) / d_in**0.5)
        self.w2 = nn.Parameter(torch.randn(d_mid, d_out) / d_mid**0.5)

    def forward(self, x):
        return torch.mm(torch.mm(x, self.w1), self.w2)


BATCH = 2048
D_IN = 1024
D_MID = 512
D_OUT = 1024


def get_inputs():
    return [torch.randn(BATCH, D_IN)]


def get_init_inputs():
    return [D_IN, D_MID, D_OUT]
