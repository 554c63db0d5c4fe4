import torch
import torch.nn as nn

BATCH = 8
TOKENS = 2048
HEADS = 16
PAIRS = 32


class Model(nn.Module):
    """Pairs of numbers are turned, each by the angle of its place."""

    def forward(self, x, cosine, sine):
        first, second = x[..., 0::2], x[..., 1::2]
        turned = torch.stack((first * cosine - second * sine, first * sine + second * cosine), dim=-1)
        return turned.flatten(-2)


def get_inputs():
    return [
        torch.randn(BATCH, HEADS, TOKENS, 2 * PAIRS),
        torch.randn(TOKENS, PAIRS),
        torch.randn(TOKENS, PAIRS),
    ]


def get_init_inputs():
    return []
