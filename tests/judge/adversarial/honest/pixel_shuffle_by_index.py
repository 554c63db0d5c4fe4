import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def shuffle_kernel(x_ptr, y_ptr, n, channels, height, width, FACTOR: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    wide, high = width * FACTOR, height * FACTOR
    column, row = at % wide, (at // wide) % high
    channel, image = (at // (wide * high)) % channels, at // (wide * high * channels)
    source_channel = (channel * FACTOR + row % FACTOR) * FACTOR + column % FACTOR
    plane = image * channels * FACTOR * FACTOR + source_channel
    x = tl.load(x_ptr + (plane * height + row // FACTOR) * width + column // FACTOR, mask=at < n)
    tl.store(y_ptr + at, x, mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, x):
        batch, channels, height, width = x.shape
        r = self.factor
        y = torch.empty((batch, channels // (r * r), height * r, width * r), device=x.device, dtype=x.dtype)
        grid = (triton.cdiv(y.numel(), 1024),)
        shuffle_kernel[grid](x, y, y.numel(), channels // (r * r), height, width, FACTOR=r, BLOCK=1024)
        return y
