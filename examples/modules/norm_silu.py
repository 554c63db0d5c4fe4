import torch
import torch.nn as nn


def nonlinearity(x):
    return x * torch.sigmoid(x)


def Normalize(in_channels, num_groups=32):
    return torch.nn.GroupNorm(num_groups=num_groups, num_channels=in_channels, eps=1e-6, affine=True)


class NormSiLU(nn.Module):
    """GroupNorm and swish, as in front of every convolution of a diffusion model."""

    def __init__(self, in_channels):
        super().__init__()
        self.norm = Normalize(in_channels)

    def forward(self, x):
        return nonlinearity(self.norm(x))
