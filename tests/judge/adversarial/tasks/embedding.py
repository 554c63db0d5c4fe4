import torch
import torch.nn as nn


TOKENS = 65536
VOCABULARY = 32000
WIDTH = 512


class Model(nn.Module):
    """Looks up one row of a table for each token."""

    def __init__(self, vocabulary, width):
        super().__init__()
        self.table = nn.Embedding(vocabulary, width)

    def forward(self, tokens):
        return self.table(tokens)


def get_inputs():
    return [torch.randint(0, VOCABULARY, (TOKENS,))]


def get_init_inputs():
    return [VOCABULARY, WIDTH]
