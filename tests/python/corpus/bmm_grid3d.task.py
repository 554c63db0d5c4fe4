import torch
import torch.nn as nn


class Model(nn.Module):
    """Batched matrix product."""

    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        return torch.bmm(A, B)


BATCH = 64
M = 256
K = 512
N = 384


def get_inputs():
    return [torch.rand(BATCH, M, K), torch.rand(BATCH, K, N)]


def get_init_inputs():
    return []
