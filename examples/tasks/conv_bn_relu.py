"""Convolution, batch normalisation and ReLU: the building block of a ResNet, as it runs in inference."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self, in_channels: int, out_channels: int):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size=3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(out_channels)
        # As if trained: statistics and affine parameters other than zeros and ones.
        for t in (self.bn.weight, self.bn.bias, self.bn.running_mean, self.bn.running_var):
            nn.init.uniform_(t, 0.5, 1.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        bn = self.bn
        y = self.conv(x)
        # training=False: use the stored statistics, not those of this batch
        y = F.batch_norm(y, bn.running_mean, bn.running_var, bn.weight, bn.bias, training=False, eps=bn.eps)
        return torch.relu(y)


BATCH = 32
IN_CHANNELS = 64
OUT_CHANNELS = 128
SIDE = 112


def get_inputs():
    return [torch.randn(BATCH, IN_CHANNELS, SIDE, SIDE)]


def get_init_inputs():
    return [IN_CHANNELS, OUT_CHANNELS]
