import torch
import torch.nn as nn


class Model(nn.Module):
    """C = alpha * (A @ B)."""

    def __init__(self, alpha: float):
        super().__init__()
        self.alpha = alpha

    def forward(self, A, B):
        return torch.matmul(A, B) * self.alpha


M = 1024
K = 4096
N = 2048
ALPHA = 0.25


def get_inputs():
    return [torch.randn(M, K), torch.randn(K, N)]


def get_init_inputs():
    return [ALPHA]
