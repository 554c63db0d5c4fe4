import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 1024
IN = 8192
OUT = 8192


class Model(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.fc = nn.Linear(a, b)

    def forward(self, x):
        return self.fc(x)


def get_inputs():
    return [torch.rand(BATCH, IN)]


def get_init_inputs():
    return [IN, OUT]
