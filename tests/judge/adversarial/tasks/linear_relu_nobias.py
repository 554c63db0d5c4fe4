import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 1024
IN = 4096
OUT = 4096


class Model(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.fc = nn.Linear(a, b, bias=False)

    def forward(self, x):
        return torch.relu(self.fc(x))


def get_inputs():
    return [torch.rand(BATCH, IN)]


def get_init_inputs():
    return [IN, OUT]
