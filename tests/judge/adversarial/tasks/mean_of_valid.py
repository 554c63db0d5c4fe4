import torch
import torch.nn as nn


BATCH = 256
LENGTH = 4096


class Model(nn.Module):
    """The mean of each row's valid part."""

    def forward(self, x, lengths):
        valid = torch.arange(x.shape[1], device=x.device)[None, :] < lengths[:, None]
        return torch.where(valid, torch.relu(x), 0.0).sum(dim=1) / lengths


def get_inputs():
    return [torch.randn(BATCH, LENGTH), torch.full((BATCH,), LENGTH)]


def get_init_inputs():
    return []
