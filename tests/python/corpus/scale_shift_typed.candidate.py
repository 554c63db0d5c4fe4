"""FiLM modulation as one Triton kernel.

Reads every element once and writes it once; the two vectors stay in cache.
"""
from __future__ import annotations

from typing import Final, Optional

import torch
from torch import Tensor, nn
import triton
import triton.language as tl

BLOCK: Final[int] = 1024


@triton.jit
def film_kernel(
    x_ptr: torch.Tensor,
    gamma_ptr: torch.Tensor,
    beta_ptr: torch.Tensor,
    out_ptr: torch.Tensor,
    channels: int,
    length: int,
    BLOCK_SIZE: tl.constexpr,
):
    """out[b, c, l] = x[b, c, l] * gamma[c] + beta[c].

    Args:
        x_ptr: input, (batch, channels, length), contiguous.
        gamma_ptr: per-channel factor.
        beta_ptr: per-channel offset.
        out_ptr: output, same shape as the input.
        channels: number of channels.
        length: size of the last dimension.
        BLOCK_SIZE: elements per program.
    """
    row = tl.program_id(axis=1)
    column = tl.program_id(axis=0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = column < length
    gamma = tl.load(gamma_ptr + row % channels)
    beta = tl.load(beta_ptr + row % channels)
    x = tl.load(x_ptr + row * length + column, mask=mask)
    tl.store(out_ptr + row * length + column, x * gamma + beta, mask=mask)


def film(x: Tensor, gamma: Tensor, beta: Tensor, *, out: Optional[Tensor] = None) -> Tensor:
    """Launches the kernel; `out` is allocated when it is not given."""
    batch: int
    channels: int
    length: int
    batch, channels, length = x.shape
    result: Tensor = torch.empty_like(x) if out is None else out
    grid: tuple[int, int] = (triton.cdiv(length, BLOCK), batch * channels)
    film_kernel[grid](x, gamma, beta, result, channels, length, BLOCK_SIZE=BLOCK)
    return result


class ModelNew(nn.Module):
    """Drop-in replacement for the reference module."""

    def __init__(self, channels: int) -> None:
        """Draws the parameters in the order of the reference."""
        super().__init__()
        self.gamma: nn.Parameter = nn.Parameter(torch.rand(channels))
        self.beta: nn.Parameter = nn.Parameter(torch.rand(channels))

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        return film(x.contiguous(), self.gamma, self.beta)
