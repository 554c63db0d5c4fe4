import torch
import torch.nn as nn


class Model(nn.Module):
    """Softplus in fp32, result in a chosen lower precision."""

    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def forward(self, x):
        return torch.nn.functional.softplus(x.float()).to(self.dtype)


BATCH = 4096
DIM = 4096


def get_inputs():
    return [torch.randn(BATCH, DIM)]


def get_init_inputs():
    return [torch.float16]
