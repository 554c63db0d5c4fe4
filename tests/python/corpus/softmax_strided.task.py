import torch
import torch.nn as nn


class Model(nn.Module):
    """Softmax over the middle dimension of a transposed view."""

    def __init__(self):
        super().__init__()

    def forward(self, x):
        # x: (batch, heads, seq) seen as (batch, seq, heads)
        return torch.softmax(x.transpose(1, 2), dim=1)


BATCH = 128
HEADS = 64
SEQ = 2048


def get_inputs():
    return [torch.randn(BATCH, SEQ, HEADS).transpose(1, 2)]


def get_init_inputs():
    return []
