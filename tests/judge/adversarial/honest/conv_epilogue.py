import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def epilogue_kernel(y_ptr, conv_bias_ptr, bias_ptr, out_ptr, pixels, channels, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    channel = plane % channels
    shift = tl.load(conv_bias_ptr + channel) + tl.load(bias_ptr + channel)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    y = tl.load(y_ptr + plane * pixels + at, mask=at < pixels)
    tl.store(out_ptr + plane * pixels + at, tl.maximum(y + shift, 0.0), mask=at < pixels)


class ModelNew(nn.Module):
    def __init__(self, channels_in, channels_out, kernel):
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, kernel)
        self.bias = nn.Parameter(torch.randn(channels_out, 1, 1))

    def forward(self, x):
        y = nn.functional.conv2d(x, self.conv.weight).contiguous()
        batch, channels, height, width = y.shape
        out = torch.empty_like(y)
        grid = (batch * channels, triton.cdiv(height * width, 512))
        epilogue_kernel[grid](y, self.conv.bias, self.bias, out, height * width, channels, BLOCK=512)
        return out
