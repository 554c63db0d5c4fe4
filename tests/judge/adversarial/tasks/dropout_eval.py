import torch
import torch.nn as nn


BATCH = 4096
FEATURES = 4096


class Model(nn.Module):
    """Dropout that drops nothing, then a scaled SiLU."""

    def __init__(self, p):
        super().__init__()
        self.dropout = nn.Dropout(p)

    def forward(self, x):
        return nn.functional.silu(self.dropout(x)) * 2.0


def get_inputs():
    return [torch.randn(BATCH, FEATURES)]


def get_init_inputs():
    return [0.0]
