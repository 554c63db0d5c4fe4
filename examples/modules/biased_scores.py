import math

import torch
import torch.nn as nn


class Model(nn.Module):
    """Attention weights with a relative position bias, as Swin has them."""

    def __init__(self, dim, num_heads, window):
        super().__init__()
        self.num_heads = num_heads
        self.scale = 1.0 / math.sqrt(dim // num_heads)
        self.q = nn.Linear(dim, dim)
        self.k = nn.Linear(dim, dim)
        self.bias = nn.Parameter(torch.zeros(num_heads, window, window))

    def forward(self, x):
        b, n, c = x.shape
        q = self.q(x).view(b, n, self.num_heads, c // self.num_heads).transpose(1, 2)
        k = self.k(x).view(b, n, self.num_heads, c // self.num_heads).transpose(1, 2)
        attn = (q @ k.transpose(-2, -1)) * self.scale
        attn = attn + self.bias.unsqueeze(0)
        return attn.softmax(dim=-1)


def get_inputs():
    return [torch.randn(64, 49, 96)]


def get_init_inputs():
    return [96, 3, 49]
