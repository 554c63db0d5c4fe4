import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, scale_ptr, channels, pixels, eps, BLOCK: tl.constexpr):
    image = tl.program_id(1).to(tl.int64)
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    squares = tl.zeros((BLOCK,), tl.float32)
    for c in range(0, channels):
        x = tl.load(x_ptr + (image * channels + c) * pixels + at, mask=at < pixels, other=0.0).to(tl.float32)
        squares += x * x
    tl.store(scale_ptr + image * pixels + at, 1.0 / tl.sqrt(squares / channels + eps), mask=at < pixels)


@triton.jit
def apply_kernel(x_ptr, scale_ptr, y_ptr, channels, pixels, BLOCK: tl.constexpr):
    plane = tl.program_id(1).to(tl.int64)
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    scale = tl.load(scale_ptr + plane // channels * pixels + at, mask=at < pixels)
    x = tl.load(x_ptr + plane * pixels + at, mask=at < pixels)
    tl.store(y_ptr + plane * pixels + at, x * scale, mask=at < pixels)


class ModelNew(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps, self.workspace = eps, {}

    def forward(self, x):
        batch, channels, height, width = x.shape
        pixels = height * width
        key = (batch, pixels, x.device)
        if key not in self.workspace:
            self.workspace[key] = torch.empty((batch, pixels), device=x.device, dtype=torch.float32)
        scale, y = self.workspace[key], torch.empty_like(x)
        scale_kernel[(triton.cdiv(pixels, 512), batch)](x, scale, channels, pixels, self.eps, BLOCK=512)
        apply_kernel[(triton.cdiv(pixels, 512), batch * channels)](x, scale, y, channels, pixels, BLOCK=512)
        return y
