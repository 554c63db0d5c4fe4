import torch
import torch.nn as nn


BATCH = 4096
FEATURES = 4096


class Model(nn.Module):
    """Logarithm of the softmax of each row, from its parts."""

    def forward(self, x):
        return x - torch.logsumexp(x, dim=1, keepdim=True)


def get_inputs():
    return [torch.rand(BATCH, FEATURES)]


def get_init_inputs():
    return []
