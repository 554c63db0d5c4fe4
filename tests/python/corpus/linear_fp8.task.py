import torch
import torch.nn as nn


class Model(nn.Module):
    """Matrix-vector style layer with an fp8 (e4m3) weight and a single scale."""

    def __init__(self, in_features, out_features):
        super().__init__()
        weight = torch.randn(out_features, in_features) * 0.05
        self.scale = 0.002
        self.register_buffer("weight8", (weight / self.scale).to(torch.float8_e4m3fn))

    def forward(self, x):
        return (x @ self.weight8.to(torch.float32).t()) * self.scale


BATCH = 8
IN_FEATURES = 8192
OUT_FEATURES = 8192


def get_inputs():
    return [torch.randn(BATCH, IN_FEATURES)]


def get_init_inputs():
    return [IN_FEATURES, OUT_FEATURES]
