import torch
import torch.nn as nn


class Model(nn.Module):
    """Layer normalisation over the last three dimensions."""

    def __init__(self, normalized_shape: tuple):
        super(Model, self).__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.ln(x)


BATCH = 16
FEATURES = 64
DIM1 = 128
DIM2 = 128


def get_inputs():
    return [torch.randn(BATCH, FEATURES, DIM1, DIM2)]


def get_init_inputs():
    return [(FEATURES, DIM1, DIM2)]
