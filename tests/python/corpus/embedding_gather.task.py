import torch
import torch.nn as nn


class Model(nn.Module):
    """Token plus position embedding, scaled."""

    def __init__(self, vocab: int, max_len: int, dim: int):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(max_len, dim)
        self.scale = dim**0.5

    def forward(self, ids):
        position = torch.arange(ids.shape[1], device=ids.device)
        return self.tok(ids) * self.scale + self.pos(position)[None]


BATCH = 32
SEQ = 1024
VOCAB = 32000
MAX_LEN = 2048
DIM = 768


def get_inputs():
    return [torch.randint(0, VOCAB, (BATCH, SEQ))]


def get_init_inputs():
    return [VOCAB, MAX_LEN, DIM]
