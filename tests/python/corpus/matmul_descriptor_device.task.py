import torch
import torch.nn as nn


class Model(nn.Module):
    """Half-precision product with the second operand transposed: A @ B.T"""

    def __init__(self):
        super().__init__()

    def forward(self, a, b):
        return torch.matmul(a, b.t())


M = 2048
N = 2048
K = 1024


def get_inputs():
    return [torch.randn(M, K).half(), torch.randn(N, K).half()]


def get_init_inputs():
    return []
