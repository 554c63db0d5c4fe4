import torch
import torch.nn as nn


class Model(nn.Module):
    """out = alpha * x + beta * y, clipped to a symmetric range."""

    def __init__(self, alpha: float, beta: float, limit: float):
        super().__init__()
        self.alpha, self.beta, self.limit = alpha, beta, limit

    def forward(self, x, y):
        return torch.clamp(self.alpha * x + self.beta * y, -self.limit, self.limit)


ROWS = 2048
COLS = 8192


def get_inputs():
    return [torch.randn(ROWS, COLS), torch.randn(ROWS, COLS)]


def get_init_inputs():
    return [2.0, -0.75, 3.0]
