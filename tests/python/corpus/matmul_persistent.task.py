import torch
import torch.nn as nn


class Model(nn.Module):
    """bf16 product of activations with a stored weight."""

    def __init__(self, k, n):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(k, n, dtype=torch.bfloat16) * k**-0.5)

    def forward(self, x):
        return x @ self.weight


M = 4096
N = 2048
K = 2048


def get_inputs():
    return [torch.randn(M, K, dtype=torch.bfloat16)]


def get_init_inputs():
    return [K, N]
