from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class GateOutput:
    hidden: torch.Tensor
    gate: torch.Tensor
    scale: float = 1.0


class Model(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.fc = nn.Linear(dim, 2 * dim)

    def forward(self, x):
        value, gate = self.fc(x).chunk(2, dim=-1)
        gate = torch.sigmoid(gate)
        return GateOutput(hidden=value * gate, gate=gate)


BATCH = 4096
DIM = 1024


def get_inputs():
    return [torch.randn(BATCH, DIM)]


def get_init_inputs():
    return [DIM]
