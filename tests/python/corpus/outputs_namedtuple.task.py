from collections import namedtuple

import torch
import torch.nn as nn

Moments = namedtuple("Moments", ["mean", "second"])


class MomentPool(nn.Module):
    """First and second raw moment over the spatial positions."""

    def __init__(self, keepdim=False):
        super().__init__()
        self.keepdim = keepdim

    def forward(self, x):
        flat = x.flatten(2)
        return Moments(flat.mean(-1, keepdim=self.keepdim), (flat * flat).mean(-1, keepdim=self.keepdim))


SIDE = 4


def get_inputs():
    return [torch.rand([4, 4, SIDE, SIDE])]


def get_init_inputs():
    return [[], {}]
