"""Add a bias to every channel of an image, then apply ReLU.

A task is an ordinary PyTorch file with three parts:
  Model              the module to be replaced by something faster
  get_init_inputs()  the arguments of its constructor
  get_inputs()       one set of arguments for its forward
"""
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(channels, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.bias)


BATCH = 64
CHANNELS = 128
HEIGHT = 128
WIDTH = 128


def get_inputs():
    return [torch.randn(BATCH, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS]
