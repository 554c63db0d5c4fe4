import torch
import torch.nn as nn


BATCH = 4096
FEATURES = 4096


class Model(nn.Module):
    """Half the sum of two matrices, in bfloat16."""

    def forward(self, x, residual):
        return (x + residual) * 0.5


def get_inputs():
    return [torch.rand(BATCH, FEATURES).bfloat16(), torch.rand(BATCH, FEATURES).bfloat16()]


def get_init_inputs():
    return []
