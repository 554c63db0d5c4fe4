import torch
import torch.nn as nn
import torch.nn.functional as F


class HardSwish(nn.Module):
    def forward(self, x):
        return x * F.relu6(x + 3.0) / 6.0


class Model(nn.Module):
    """Expansion of a MobileNetV3 block."""

    def __init__(self, inp, hidden):
        super().__init__()
        self.expand = nn.Sequential(
            nn.Conv2d(inp, hidden, 1, bias=False),
            nn.BatchNorm2d(hidden),
            HardSwish(),
        )
        self.depthwise = nn.Sequential(
            nn.Conv2d(hidden, hidden, 3, padding=1, groups=hidden, bias=False),
            nn.BatchNorm2d(hidden),
            HardSwish(),
        )

    def forward(self, x):
        return self.depthwise(self.expand(x))


def get_inputs():
    return [torch.randn(16, 40, 28, 28)]


def get_init_inputs():
    return [40, 120]
