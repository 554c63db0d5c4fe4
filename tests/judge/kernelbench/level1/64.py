"""One-dimensional transposed convolution, gathered tap by tap."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv_kernel(
    x_ptr, weight_ptr, out_ptr, in_channels, out_channels, in_length, out_length, tiles, stride, padding, dilation,
    KERNEL: tl.constexpr, BLOCK_P: tl.constexpr, BLOCK_C: tl.constexpr, BLOCK_K: tl.constexpr,
):
    image = (tl.program_id(0) // tiles).to(tl.int64)
    position = (tl.program_id(0) % tiles) * BLOCK_P + tl.arange(0, BLOCK_P)
    channel = tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C)
    base = x_ptr + image * in_channels * in_length
    accumulator = tl.zeros((BLOCK_C, BLOCK_P), dtype=tl.float32)
    for tap in range(0, KERNEL):
        place = position + padding - tap * dilation
        valid = (position < out_length) & (place >= 0) & (place % stride == 0)
        place = place // stride
        valid = valid & (place < in_length)
        for start in range(0, in_channels, BLOCK_K):
            source = start + tl.arange(0, BLOCK_K)
            weight_mask = (channel < out_channels)[:, None] & (source < in_channels)[None, :]
            weight_place = (source[None, :] * out_channels + channel[:, None]) * KERNEL + tap
            weight = tl.load(weight_ptr + weight_place, mask=weight_mask, other=0.0)
            mask = (source < in_channels)[:, None] & valid[None, :]
            x = tl.load(base + source.to(tl.int64)[:, None] * in_length + place[None, :], mask=mask, other=0.0)
            accumulator = tl.dot(weight, x, accumulator, input_precision="ieee")
    out = (image * out_channels + channel)[:, None] * out_length + position[None, :]
    tl.store(out_ptr + out, accumulator, mask=(channel < out_channels)[:, None] & (position < out_length)[None, :])


class ModelNew(nn.Module):
    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: int, stride: int = 1, padding: int = 0,
        output_padding: int = 0, groups: int = 1, bias: bool = False,
    ):
        super().__init__()
        self.conv1d_transpose = nn.ConvTranspose1d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding, output_padding=output_padding,
            groups=groups, bias=bias,
        )
        assert groups == 1 and not bias, "not supported"

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        layer = self.conv1d_transpose
        images, in_channels, in_length = x.shape
        (kernel,), (stride,), (padding,), (dilation,) = layer.kernel_size, layer.stride, layer.padding, layer.dilation
        reach = dilation * (kernel - 1) + 1
        out_length = (in_length - 1) * stride - 2 * padding + reach + layer.output_padding[0]
        out = torch.empty(images, layer.out_channels, out_length, device=x.device, dtype=x.dtype)
        tiles = triton.cdiv(out_length, 64)
        conv_kernel[(images * tiles, triton.cdiv(layer.out_channels, 64))](
            x, layer.weight, out, in_channels, layer.out_channels, in_length, out_length, tiles,
            stride, padding, dilation, KERNEL=kernel, BLOCK_P=64, BLOCK_C=64, BLOCK_K=32,
        )
        return out
