import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def apply_kernel(x_ptr, mean_ptr, var_ptr, w_ptr, b_ptr, y_ptr, pixels, channels, eps, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    channel = plane % channels
    scale = tl.load(w_ptr + channel) / tl.sqrt(tl.load(var_ptr + channel) + eps)
    shift = tl.load(b_ptr + channel) - tl.load(mean_ptr + channel) * scale
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + plane * pixels + at, mask=at < pixels)
    tl.store(y_ptr + plane * pixels + at, x * scale + shift, mask=at < pixels)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        batch, channels, height, width = x.shape
        pixels = height * width
        var, mean = torch.var_mean(x, dim=(0, 2, 3), correction=0)
        y = torch.empty_like(x)
        grid = (batch * channels, triton.cdiv(pixels, 1024))
        norm = self.norm
        apply_kernel[grid](x, mean, var, norm.weight, norm.bias, y, pixels, channels, norm.eps, BLOCK=1024)
        return y
