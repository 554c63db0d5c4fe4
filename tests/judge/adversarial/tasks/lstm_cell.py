import torch
import torch.nn as nn

BATCH = 4096
INPUTS = 512
HIDDEN = 1024


class Model(nn.Module):
    """One step of an LSTM, written out."""

    def __init__(self, inputs, hidden):
        super().__init__()
        self.x = nn.Linear(inputs, 4 * hidden)
        self.h = nn.Linear(hidden, 4 * hidden)

    def forward(self, x, h, c):
        i, f, g, o = torch.chunk(self.x(x) + self.h(h), 4, dim=1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


def get_inputs():
    return [torch.randn(BATCH, INPUTS), torch.randn(BATCH, HIDDEN), torch.randn(BATCH, HIDDEN)]


def get_init_inputs():
    return [INPUTS, HIDDEN]
