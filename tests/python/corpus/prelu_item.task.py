import torch
import torch.nn as nn


class PReluBlock(nn.Module):
    """Convolution followed by a PReLU with a single learned slope."""

    def __init__(self, in_ch, out_ch):
        super().__init__()
        self.conv = nn.Conv2d(in_ch, out_ch, 3, padding=1)
        self.act = nn.PReLU()

    def forward(self, x):
        return self.act(self.conv(x))


CH = 4
SIDE = 4


def get_inputs():
    return [torch.rand([4, CH, SIDE, SIDE])]


def get_init_inputs():
    return [[], {"in_ch": CH, "out_ch": CH}]
