import torch
import torch.nn as nn


class Model(nn.Module):
    """Plain matrix product of two inputs."""

    def __init__(self):
        super(Model, self).__init__()

    def forward(self, A, B):
        return torch.matmul(A, B)


M = 2048
K = 8192
N = 4096


def get_inputs():
    return [torch.rand(M, K), torch.rand(K, N)]


def get_init_inputs():
    return []
