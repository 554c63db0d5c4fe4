import torch
import torch.nn as nn


BATCH = 64
LENGTH = 512


class Model(nn.Module):
    """A mask that is added to the scores."""

    def forward(self, scores, mask):
        return torch.softmax(scores + mask, dim=-1)


def get_inputs():
    mask = torch.zeros(LENGTH, LENGTH).masked_fill(torch.ones(LENGTH, LENGTH).triu(1) > 0, float("-inf"))
    return [torch.randn(BATCH, LENGTH, LENGTH), mask]


def get_init_inputs():
    return []
