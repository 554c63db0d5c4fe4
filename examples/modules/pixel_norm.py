import torch
from torch import nn


class PixelNorm(nn.Module):
    def __init__(self, epsilon=1e-8):
        super().__init__()
        self.epsilon = epsilon

    def forward(self, x):
        return x * (x.pow(2).mean(dim=1, keepdim=True) + self.epsilon).rsqrt()


class StyledActivation(nn.Module):
    """Pixel norm and leaky ReLU of a progressive GAN."""

    def __init__(self, slope=0.2):
        super().__init__()
        self.norm = PixelNorm()
        self.act = nn.LeakyReLU(slope)

    def forward(self, x):
        return self.norm(self.act(x))
