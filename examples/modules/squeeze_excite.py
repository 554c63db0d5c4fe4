import torch
from torch import nn


class SqueezeExcite(nn.Module):
    """Channel attention (Hu et al., 2018)."""

    def __init__(self, channels, reduction=4):
        super().__init__()
        squeezed = max(1, channels // reduction)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Sequential(
            nn.Linear(channels, squeezed),
            nn.ReLU(inplace=True),
            nn.Linear(squeezed, channels),
            nn.Sigmoid(),
        )

    def forward(self, x):
        b, c, _, _ = x.shape
        scale = self.fc(self.pool(x).view(b, c)).view(b, c, 1, 1)
        return x * scale.expand_as(x)
