import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def epilogue_kernel(y_ptr, first_ptr, second_ptr, pixels, channels, BLOCK: tl.constexpr):
    plane = tl.program_id(1).to(tl.int64)
    shift = tl.load(first_ptr + plane % channels) + tl.load(second_ptr + plane % channels)
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = tl.load(y_ptr + plane * pixels + at, mask=at < pixels)
    tl.store(y_ptr + plane * pixels + at, tl.maximum(y + shift, 0.0), mask=at < pixels)


class ModelNew(nn.Module):
    def __init__(self, channels_in, channels_out, kernel):
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, kernel)
        self.bias = nn.Parameter(torch.randn(channels_out, 1, 1))

    def forward(self, x):
        y = nn.functional.conv2d(x, self.conv.weight).contiguous()
        pixels = y.shape[2] * y.shape[3]
        for begin in range(0, y.shape[0], 64):
            part = y[begin:begin + 64]
            grid = (triton.cdiv(pixels, 1024), part.shape[0] * y.shape[1])
            epilogue_kernel[grid](part, self.conv.bias, self.bias, pixels, y.shape[1], BLOCK=1024)
        return y
