"""Causal self-attention: every position looks at itself and at what came before."""
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        length, head_dim = q.shape[-2:]
        scores = q @ k.transpose(-2, -1) / math.sqrt(head_dim)
        future = torch.ones(length, length, dtype=torch.bool, device=q.device).triu(diagonal=1)
        scores = scores.masked_fill(future, float("-inf"))
        return torch.softmax(scores, dim=-1) @ v


BATCH = 8
HEADS = 16
LENGTH = 1024
HEAD_DIM = 64


def get_inputs():
    shape = (BATCH, HEADS, LENGTH, HEAD_DIM)
    return [torch.randn(shape), torch.randn(shape), torch.randn(shape)]


def get_init_inputs():
    return []
