import torch
import torch.nn as nn


BATCH = 8192
FEATURES = 2048


class Model(nn.Module):
    """Adds a branch to its residual and normalises the sum; both are needed by the next block."""

    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x, residual):
        total = x + residual
        return self.norm(total), total


def get_inputs():
    return [torch.randn(BATCH, FEATURES), torch.randn(BATCH, FEATURES)]


def get_init_inputs():
    return [FEATURES]
