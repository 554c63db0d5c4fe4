import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, y_ptr, height, width, margin, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    out_width = width + 2 * margin
    out_size = (height + 2 * margin) * out_width
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    row = at // out_width - margin
    column = at % out_width - margin
    inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    x = tl.load(x_ptr + plane * height * width + row * width + column, mask=inside, other=0.0)
    tl.store(y_ptr + plane * out_size + at, x, mask=at < out_size)


class ModelNew(nn.Module):
    def __init__(self, margin):
        super().__init__()
        self.margin = margin

    def forward(self, x):
        batch, channels, height, width = x.shape
        wide, high = width + 2 * self.margin, height + 2 * self.margin
        y = torch.empty((batch, channels, high, wide), device=x.device, dtype=x.dtype)
        grid = (batch * channels, triton.cdiv(high * wide, 1024))
        copy_kernel[grid](x, y, height, width, self.margin, BLOCK=1024)
        return y
