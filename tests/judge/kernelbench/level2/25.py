"""Convolution in torch; the minimum over channels and two tanh in one pass."""
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def over_channels_kernel(x_ptr, out_ptr, channels, size, tiles, BLOCK: tl.constexpr):
    # A program takes neighbouring positions of one image and walks their channels.
    image = (tl.program_id(0) // tiles).to(tl.int64)
    position = (tl.program_id(0) % tiles) * BLOCK + tl.arange(0, BLOCK)
    mask = position < size
    base = x_ptr + image * channels * size + position
    lowest = tl.full((BLOCK,), float("inf"), dtype=tl.float32)
    for channel in range(0, channels):
        x = tl.load(base + channel * size, mask=mask, other=0.0).to(tl.float32)
        lowest = tl.minimum(lowest, x)
    tl.store(out_ptr + image * size + position, libdevice.tanh(libdevice.tanh(lowest)), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x).contiguous()
        channels, size = x.shape[1], x[0, 0].numel()
        out = torch.empty(x.shape[0], 1, *x.shape[2:], device=x.device, dtype=x.dtype)
        tiles = triton.cdiv(size, 256)
        over_channels_kernel[(x.shape[0] * tiles,)](
            x, out, channels, size, tiles, BLOCK=256
        )
        return out
