import torch
import torch.nn as nn


class Model(nn.Module):
    """Bidirectional LSTM, mean over time, linear head with a sigmoid."""

    def __init__(self, input_size, hidden_size, num_layers, classes):
        super().__init__()
        self.lstm = nn.LSTM(input_size, hidden_size, num_layers, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * hidden_size, classes)

    def forward(self, x):
        out, _ = self.lstm(x)
        return torch.sigmoid(self.head(out.mean(dim=1)))


BATCH = 32
SEQ = 256
INPUT = 128
HIDDEN = 256
LAYERS = 2
CLASSES = 10


def get_inputs():
    return [torch.randn(BATCH, SEQ, INPUT)]


def get_init_inputs():
    return [INPUT, HIDDEN, LAYERS, CLASSES]
