import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 64
LENGTH = 512


class Model(nn.Module):
    def forward(self, x, mask):
        return torch.softmax(x.masked_fill(mask == 0, -1e9), dim=-1)


def get_inputs():
    return [torch.randn(BATCH, LENGTH, LENGTH), torch.tril(torch.ones(LENGTH, LENGTH))]


def get_init_inputs():
    return []
