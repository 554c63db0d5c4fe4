"""Pointwise convolution: a matrix product an image; the output has 2^31 elements, so offsets are 64-bit."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def pointwise_kernel(
    x_ptr, weight_ptr, out_ptr, in_channels, out_channels, size, tiles,
    BLOCK_C: tl.constexpr, BLOCK_P: tl.constexpr, BLOCK_K: tl.constexpr,
):
    image = (tl.program_id(0) // tiles).to(tl.int64)
    position = (tl.program_id(0) % tiles) * BLOCK_P + tl.arange(0, BLOCK_P)
    channel = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    accumulator = tl.zeros((BLOCK_C, BLOCK_P), dtype=tl.float32)
    for start in range(0, in_channels, BLOCK_K):
        source = start + tl.arange(0, BLOCK_K)
        weight_mask = (channel < out_channels)[:, None] & (source < in_channels)[None, :]
        weight = tl.load(weight_ptr + channel[:, None] * in_channels + source[None, :], mask=weight_mask, other=0.0)
        x_mask = (source < in_channels)[:, None] & (position < size)[None, :]
        offsets = (image * in_channels + source)[:, None] * size + position[None, :]
        x = tl.load(x_ptr + offsets, mask=x_mask, other=0.0)
        accumulator = tl.dot(weight, x, accumulator, input_precision="ieee")
    out = (image * out_channels + channel)[:, None] * size + position[None, :]
    tl.store(out_ptr + out, accumulator, mask=(channel < out_channels)[:, None] & (position < size)[None, :])


def pointwise(x: torch.Tensor, layer: nn.Conv2d) -> torch.Tensor:
    x = x.contiguous()
    images, in_channels, height, width = x.shape
    out = torch.empty(images, layer.out_channels, height, width, device=x.device, dtype=x.dtype)
    tiles = triton.cdiv(height * width, 64)
    pointwise_kernel[(images * tiles, triton.cdiv(layer.out_channels, 64))](
        x, layer.weight, out, in_channels, layer.out_channels, height * width, tiles,
        BLOCK_C=64, BLOCK_P=64, BLOCK_K=32,
    )
    return out


class ModelNew(nn.Module):
    def __init__(self, in_channels: int, out_channels: int, bias: bool = False):
        super().__init__()
        self.conv1d = nn.Conv2d(in_channels, out_channels, kernel_size=1, stride=1, padding=0, bias=bias)
        assert not bias, "not supported"

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return pointwise(x, self.conv1d)
