import torch
import torch.nn as nn


BATCH = 4096
FEATURES = 8192


class Model(nn.Module):
    """GELU (tanh form), then a scale, a shift and a clamp."""

    def forward(self, x):
        y = nn.functional.gelu(x, approximate="tanh")
        return torch.clamp(y * 1.5 + 0.25, max=2.0)


def get_inputs():
    return [torch.randn(BATCH, FEATURES)]


def get_init_inputs():
    return []
