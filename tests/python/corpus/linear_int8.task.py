import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer whose weight is kept in int8 with one scale per output row."""

    def __init__(self, in_features, out_features):
        super().__init__()
        weight = torch.randn(out_features, in_features) / in_features**0.5
        scale = weight.abs().amax(dim=1) / 127.0
        self.register_buffer("qweight", torch.round(weight / scale[:, None]).to(torch.int8))
        self.register_buffer("scale", scale)

    def forward(self, x):
        weight = self.qweight.to(x.dtype) * self.scale[:, None]
        return torch.nn.functional.linear(x, weight)


BATCH = 256
IN_FEATURES = 4096
OUT_FEATURES = 4096


def get_inputs():
    return [torch.randn(BATCH, IN_FEATURES)]


def get_init_inputs():
    return [IN_FEATURES, OUT_FEATURES]
