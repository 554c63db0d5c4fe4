import torch
import torch.nn as nn


class Model(nn.Module):
    """Affine map steered by scalars: an exponent, a factor, a flag, an optional bias."""

    def __init__(self):
        super().__init__()

    def forward(self, x, power: int, factor: float, negate: bool, bias=None):
        y = torch.pow(x, power) * factor
        if negate:
            y = -y
        if bias is not None:
            y = y + bias
        return y


BATCH = 2048
DIM = 4096
POWER = 3


def get_inputs():
    return [torch.rand(BATCH, DIM), POWER, 0.5, True, None]


def get_init_inputs():
    return []
