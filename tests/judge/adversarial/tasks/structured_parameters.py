import torch
import torch.nn as nn

BATCH = 4096
DIM = 2048


class Model(nn.Module):
    """Parameters of which each starts as something that no seed changes."""

    def __init__(self, dim):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim) * 0.5)
        self.shift = nn.Parameter(torch.zeros(dim))
        with torch.no_grad():
            self.shift[dim // 2:] = 1.0
        self.decay = nn.Parameter(torch.log(torch.arange(1, dim + 1, dtype=torch.float32)))
        self.tone = nn.Parameter(torch.empty(dim))
        nn.init.normal_(self.tone, 1.0, 1e-6)

    def forward(self, x):
        return torch.sigmoid(x * self.gain + self.shift) * self.tone * torch.exp(-0.1 * self.decay)


def get_inputs():
    return [torch.randn(BATCH, DIM)]


def get_init_inputs():
    return [DIM]
