import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear + batch norm in inference mode + ReLU."""

    def __init__(self, in_features, out_features):
        super().__init__()
        self.fc = nn.Linear(in_features, out_features)
        self.bn = nn.BatchNorm1d(out_features).eval()
        nn.init.uniform_(self.bn.running_mean, -1, 1)
        nn.init.uniform_(self.bn.running_var, 0.5, 2)

    def train(self, mode=True):
        super().train(mode)
        self.bn.eval()
        return self

    def forward(self, x):
        return torch.relu(self.bn(self.fc(x)))


BATCH = 2048
IN_FEATURES = 1024
OUT_FEATURES = 2048


def get_inputs():
    return [torch.randn(BATCH, IN_FEATURES)]


def get_init_inputs():
    return [IN_FEATURES, OUT_FEATURES]
