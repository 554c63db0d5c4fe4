import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Linear projection, exact GELU, then expm1 of the clipped result."""

    def __init__(self, hidden: int):
        super().__init__()
        self.proj = nn.Linear(hidden, hidden)

    def forward(self, x):
        y = F.gelu(self.proj(x))
        return torch.expm1(torch.clamp(y, max=3.0))


BATCH = 512
SEQ = 256
HIDDEN = 768


def get_inputs():
    return [torch.randn(BATCH, SEQ, HIDDEN)]


def get_init_inputs():
    return [HIDDEN]
