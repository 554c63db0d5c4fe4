"""Transposed convolution in torch; log-sum-exp over channels and what follows in one pass."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def over_channels_kernel(x_ptr, bias_ptr, out_ptr, channels, size, tiles, BLOCK: tl.constexpr):
    # A program takes neighbouring positions of one image and walks their channels.
    image = (tl.program_id(0) // tiles).to(tl.int64)
    position = (tl.program_id(0) % tiles) * BLOCK + tl.arange(0, BLOCK)
    mask = position < size
    base = x_ptr + image * channels * size + position
    maximum = tl.full((BLOCK,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for channel in range(0, channels):
        x = tl.load(base + channel * size, mask=mask, other=0.0).to(tl.float32)
        higher = tl.maximum(maximum, x)
        total = total * tl.exp(maximum - higher) + tl.exp(x - higher)
        maximum = higher
    y = maximum + tl.log(total)
    y = y * tl.sigmoid(y + 3.0) / 6.0 - tl.load(bias_ptr).to(tl.float32)
    tl.store(out_ptr + image * size + position, tl.clamp(y, -1.0, 1.0), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, bias_shape):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding
        )
        self.bias = nn.Parameter(torch.randn(1, 1, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x).contiguous()
        channels, size = x.shape[1], x[0, 0].numel()
        out = torch.empty(x.shape[0], 1, *x.shape[2:], device=x.device, dtype=x.dtype)
        tiles = triton.cdiv(size, 256)
        over_channels_kernel[(x.shape[0] * tiles,)](
            x, self.bias, out, channels, size, tiles, BLOCK=256
        )
        return out
