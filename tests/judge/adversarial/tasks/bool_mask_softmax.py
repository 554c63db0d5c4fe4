import torch
import torch.nn as nn

BATCH = 64
LENGTH = 512


class Model(nn.Module):
    def forward(self, x, mask):
        return torch.softmax(x.masked_fill(~mask, -1e9), dim=-1)


def get_inputs():
    return [torch.randn(BATCH, LENGTH, LENGTH), torch.tril(torch.ones(LENGTH, LENGTH, dtype=torch.bool))]


def get_init_inputs():
    return []
