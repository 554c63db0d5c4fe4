import torch
import torch.nn as nn


class Model(nn.Module):
    """Weighted sum of a list of tensors, with the options in a dictionary."""

    def __init__(self):
        super().__init__()

    def forward(self, parts, options):
        total = options["weights"][0] * parts[0]
        for i in range(1, len(parts)):
            total = total + options["weights"][i] * parts[i]
        if options.get("normalize", False):
            total = total / len(parts)
        return total


BATCH = 1024
DIM = 8192
PARTS = 4


def get_inputs():
    parts = [torch.randn(BATCH, DIM) for _ in range(PARTS)]
    return [parts, {"weights": torch.rand(PARTS), "normalize": True}]


def get_init_inputs():
    return []
