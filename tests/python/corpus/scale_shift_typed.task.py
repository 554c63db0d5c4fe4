from __future__ import annotations

import torch
from torch import Tensor, nn


class Model(nn.Module):
    """Feature-wise affine modulation (FiLM)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.rand(channels))
        self.beta = nn.Parameter(torch.rand(channels))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.gamma[None, :, None] + self.beta[None, :, None]


BATCH: int = 64
CHANNELS: int = 256
LENGTH: int = 4096


def get_inputs() -> list[Tensor]:
    return [torch.randn(BATCH, CHANNELS, LENGTH)]


def get_init_inputs() -> list[int]:
    return [CHANNELS]
