"""Convolution in torch; tanh, scaling, bias and max pooling in one pass."""
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def epilogue_pool_kernel(
    x_ptr, bias_ptr, out_ptr, scaling, channels, in_h, in_w, out_h, out_w, window, tiles, BLOCK: tl.constexpr
):
    plane = (tl.program_id(0) // tiles).to(tl.int64)
    position = (tl.program_id(0) % tiles) * BLOCK + tl.arange(0, BLOCK)
    # Windows do not overlap and never leave the image: what is left at the edges is dropped.
    mask = position < out_h * out_w
    base = x_ptr + plane * (in_h * in_w) + position // out_w * window * in_w + position % out_w * window
    bias = tl.load(bias_ptr + plane % channels).to(tl.float32)
    result = tl.full((BLOCK,), -float("inf"), dtype=tl.float32)
    for h in range(0, window):
        for w in range(0, window):
            x = tl.load(base + h * in_w + w, mask=mask, other=0.0).to(tl.float32)
            result = tl.maximum(result, libdevice.tanh(x) * scaling + bias)
    tl.store(out_ptr + plane * (out_h * out_w) + position, result, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, scaling_factor, bias_shape, pool_kernel_size):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.scaling_factor = scaling_factor
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.window = pool_kernel_size

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x).contiguous()
        images, channels, in_h, in_w = x.shape
        out_h, out_w = in_h // self.window, in_w // self.window
        out = torch.empty(images, channels, out_h, out_w, device=x.device, dtype=x.dtype)
        tiles = triton.cdiv(out_h * out_w, 256)
        epilogue_pool_kernel[(images * channels * tiles,)](
            x, self.bias, out, self.scaling_factor, channels, in_h, in_w, out_h, out_w, self.window, tiles, BLOCK=256
        )
        return out
