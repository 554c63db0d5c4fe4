"""A GRU over a sequence; the last state goes through layer normalisation, a linear layer and a softmax."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, input_size: int, hidden_size: int, classes: int):
        super().__init__()
        self.gru = nn.GRU(input_size, hidden_size, batch_first=True)
        self.norm = nn.LayerNorm(hidden_size)
        self.head = nn.Linear(hidden_size, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        states, _ = self.gru(x)
        return torch.softmax(self.head(self.norm(states[:, -1])), dim=-1)


BATCH = 128
LENGTH = 256
INPUT_SIZE = 128
HIDDEN_SIZE = 256
CLASSES = 50


def get_inputs():
    return [torch.randn(BATCH, LENGTH, INPUT_SIZE)]


def get_init_inputs():
    return [INPUT_SIZE, HIDDEN_SIZE, CLASSES]
