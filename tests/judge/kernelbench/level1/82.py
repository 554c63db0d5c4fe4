"""Depthwise convolution: one plane at a time, a window an output."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def depthwise_kernel(
    x_ptr, weight_ptr, out_ptr, in_channels, out_channels, in_h, in_w, out_h, out_w, kernel_h, kernel_w,
    stride_h, stride_w, padding_h, padding_w, dilation_h, dilation_w, tiles, BLOCK: tl.constexpr,
):
    plane = tl.program_id(0) // tiles
    position = (tl.program_id(0) % tiles) * BLOCK + tl.arange(0, BLOCK)
    inside = position < out_h * out_w
    image, channel = plane // out_channels, plane % out_channels
    source = channel // (out_channels // in_channels)
    base = x_ptr + (image * in_channels + source).to(tl.int64) * (in_h * in_w)
    h = position // out_w * stride_h - padding_h
    w = position % out_w * stride_w - padding_w
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for tap_h in range(0, kernel_h):
        row = h + tap_h * dilation_h
        for tap_w in range(0, kernel_w):
            column = w + tap_w * dilation_w
            mask = inside & (row >= 0) & (row < in_h) & (column >= 0) & (column < in_w)
            weight = tl.load(weight_ptr + (channel * kernel_h + tap_h) * kernel_w + tap_w).to(tl.float32)
            total += weight * tl.load(base + row * in_w + column, mask=mask, other=0.0).to(tl.float32)
    tl.store(out_ptr + plane.to(tl.int64) * (out_h * out_w) + position, total, mask=inside)


def depthwise(x: torch.Tensor, layer: nn.Conv2d) -> torch.Tensor:
    x = x.contiguous()
    images, in_channels, in_h, in_w = x.shape
    (kernel_h, kernel_w), (stride_h, stride_w) = layer.kernel_size, layer.stride
    (padding_h, padding_w), (dilation_h, dilation_w) = layer.padding, layer.dilation
    out_h = (in_h + 2 * padding_h - dilation_h * (kernel_h - 1) - 1) // stride_h + 1
    out_w = (in_w + 2 * padding_w - dilation_w * (kernel_w - 1) - 1) // stride_w + 1
    out = torch.empty(images, layer.out_channels, out_h, out_w, device=x.device, dtype=x.dtype)
    tiles = triton.cdiv(out_h * out_w, 512)
    depthwise_kernel[(images * layer.out_channels * tiles,)](
        x, layer.weight, out, in_channels, layer.out_channels, in_h, in_w, out_h, out_w, kernel_h, kernel_w,
        stride_h, stride_w, padding_h, padding_w, dilation_h, dilation_w, tiles, BLOCK=512,
    )
    return out


class ModelNew(nn.Module):
    def __init__(self, in_channels: int, kernel_size: int, stride: int = 1, padding: int = 0, bias: bool = False):
        super().__init__()
        self.conv2d = nn.Conv2d(
            in_channels, in_channels, kernel_size, stride=stride, padding=padding, groups=in_channels, bias=bias
        )
        assert not bias, "not supported"

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return depthwise(x, self.conv2d)
