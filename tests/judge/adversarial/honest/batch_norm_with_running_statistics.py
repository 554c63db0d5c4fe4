import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def statistics_kernel(x_ptr, mean_ptr, rstd_ptr, running_mean_ptr, running_var_ptr, batch, channels, pixels, eps,
                      momentum, BLOCK: tl.constexpr):
    channel = tl.program_id(0)
    count = batch * pixels
    total = tl.zeros((BLOCK,), tl.float32)
    for image in range(0, batch):
        base = (image.to(tl.int64) * channels + channel) * pixels
        for start in range(0, pixels, BLOCK):
            at = start + tl.arange(0, BLOCK)
            total += tl.load(x_ptr + base + at, mask=at < pixels, other=0.0)
    mean = tl.sum(total, axis=0) / count
    squares = tl.zeros((BLOCK,), tl.float32)
    for image in range(0, batch):
        base = (image.to(tl.int64) * channels + channel) * pixels
        for start in range(0, pixels, BLOCK):
            at = start + tl.arange(0, BLOCK)
            x = tl.load(x_ptr + base + at, mask=at < pixels, other=0.0)
            centred = tl.where(at < pixels, x - mean, 0.0)
            squares += centred * centred
    total_squares = tl.sum(squares, axis=0)
    tl.store(mean_ptr + channel, mean)
    tl.store(rstd_ptr + channel, 1.0 / tl.sqrt(total_squares / count + eps))
    old_mean, old_var = tl.load(running_mean_ptr + channel), tl.load(running_var_ptr + channel)
    tl.store(running_mean_ptr + channel, old_mean + momentum * (mean - old_mean))
    tl.store(running_var_ptr + channel, old_var + momentum * (total_squares / (count - 1) - old_var))


@triton.jit
def apply_kernel(x_ptr, mean_ptr, rstd_ptr, w_ptr, b_ptr, y_ptr, pixels, channels, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    channel = plane % channels
    scale = tl.load(rstd_ptr + channel) * tl.load(w_ptr + channel)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + plane * pixels + at, mask=at < pixels)
    y = (x - tl.load(mean_ptr + channel)) * scale + tl.load(b_ptr + channel)
    tl.store(y_ptr + plane * pixels + at, y, mask=at < pixels)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        batch, channels, height, width = x.shape
        pixels, norm = height * width, self.norm
        mean, rstd = torch.empty((2, channels), device=x.device, dtype=torch.float32)
        y = torch.empty_like(x)
        statistics_kernel[(channels,)](x, mean, rstd, norm.running_mean, norm.running_var, batch, channels, pixels,
                                       norm.eps, norm.momentum, BLOCK=1024)
        grid = (batch * channels, triton.cdiv(pixels, 1024))
        apply_kernel[grid](x, mean, rstd, norm.weight, norm.bias, y, pixels, channels, BLOCK=1024)
        return y
