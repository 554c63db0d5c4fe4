import torch
import torch.nn as nn

ROWS = 4096
COLUMNS = 4096


class Model(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.drop = nn.Dropout(p)

    def forward(self, x, y):
        return self.drop(torch.tanh(x)) * y + x


def get_inputs():
    return [torch.randn(ROWS, COLUMNS), torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return [0.3]
