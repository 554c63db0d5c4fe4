import torch
import torch.nn as nn


class Model(nn.Module):
    """First-order linear recurrence h[t] = a[t] * h[t-1] + x[t], along time."""

    def __init__(self):
        super().__init__()

    def forward(self, a, x):
        h = torch.zeros_like(x[:, 0])
        states = []
        for t in range(x.shape[1]):
            h = a[:, t] * h + x[:, t]
            states.append(h)
        return torch.stack(states, dim=1)


BATCH = 16
SEQ = 64
DIM = 512


def get_inputs():
    return [torch.rand(BATCH, SEQ, DIM), torch.randn(BATCH, SEQ, DIM)]


def get_init_inputs():
    return []
