import torch
import torch.nn as nn


class Model(nn.Module):
    """Softmax over the last dimension where a mask allows it."""

    def __init__(self, temperature: float = 1.0):
        super().__init__()
        self.temperature = temperature

    def forward(self, scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        scores = scores / self.temperature
        scores = scores.masked_fill(mask == 0, -1e9)
        return torch.softmax(scores, dim=-1)


batch, heads, length = 8, 12, 256


def get_inputs():
    mask = (torch.rand(batch, 1, length, length) > 0.1).float()
    return [torch.randn(batch, heads, length, length), mask]


def get_init_inputs():
    return [0.7]
