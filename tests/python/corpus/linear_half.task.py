import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer evaluated in half precision, result returned in single precision."""

    def __init__(self, in_features, out_features):
        super().__init__()
        self.fc = nn.Linear(in_features, out_features)

    def forward(self, x):
        y = torch.nn.functional.linear(x.half(), self.fc.weight.half(), self.fc.bias.half())
        return torch.sigmoid(y.float())


BATCH = 1024
IN_FEATURES = 1024
OUT_FEATURES = 1024


def get_inputs():
    return [torch.randn(BATCH, IN_FEATURES)]


def get_init_inputs():
    return [IN_FEATURES, OUT_FEATURES]
