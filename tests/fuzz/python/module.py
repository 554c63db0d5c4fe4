"""A block with a gate."""
import torch
from torch import nn
from torch.nn import functional as F


@torch.no_grad()
def mask(x, *, limit: float = 1e-06, **rest):
    return [v for v, in x if v is not None and v > -limit] or {**rest, "k": (1,)}


class Gate(nn.Module):
    def __init__(self, width=64, bias=True):
        super().__init__()
        self.up = nn.Linear(width, 2 * width, bias=bias)
        self.scale: int = width ** -0.5 if width else 1

    def forward(self, x, /, *args):
        a, b = self.up(x).chunk(2, dim=-1)
        for i in range(3):
            a = a * torch.sigmoid(b[..., i:i + 1]) @ x[:, None, ::2]
        assert a.shape[0] == x.size(0), f"{a.shape!r} is {x.size(0):>{i}}"
        return a, not b
