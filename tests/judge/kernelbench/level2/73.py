"""Convolution in torch; batch norm in training mode with the scaling in its last kernel."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def plane_statistics_kernel(x_ptr, mean_ptr, squares_ptr, size, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    mean = 0.0
    squares = 0.0
    for start in range(0, size, BLOCK):
        mask = start + lanes < size
        x = tl.load(x_ptr + plane * size + start + lanes, mask=mask, other=0.0).to(tl.float32)
        # Statistics of this block are merged with those of the blocks before: no cancellation, one pass.
        count = tl.minimum(size - start, BLOCK).to(tl.float32)
        block_mean = tl.sum(x, axis=0) / count
        centred = tl.where(mask, x - block_mean, 0.0)
        difference = block_mean - mean
        mean += difference * count / (start + count)
        squares += tl.sum(centred * centred, axis=0) + difference * difference * start * count / (start + count)
    tl.store(mean_ptr + plane, mean)
    tl.store(squares_ptr + plane, squares)


@triton.jit
def channel_statistics_kernel(
    mean_ptr, squares_ptr, weight_ptr, bias_ptr, running_mean_ptr, running_variance_ptr, scale_ptr, shift_ptr,
    batch, channels, size, eps, momentum, BLOCK: tl.constexpr,
):
    channel = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    mean = 0.0
    for start in range(0, batch, BLOCK):
        mask = start + lanes < batch
        mean += tl.sum(tl.load(mean_ptr + (start + lanes) * channels + channel, mask=mask, other=0.0), axis=0)
    mean = mean / batch
    squares = 0.0
    for start in range(0, batch, BLOCK):
        mask = start + lanes < batch
        offsets = (start + lanes) * channels + channel
        difference = tl.where(mask, tl.load(mean_ptr + offsets, mask=mask, other=0.0) - mean, 0.0)
        within = tl.load(squares_ptr + offsets, mask=mask, other=0.0)
        squares += tl.sum(within + difference * difference * size, axis=0)
    count = batch * (size * 1.0)
    variance = squares / count
    scale = tl.load(weight_ptr + channel).to(tl.float32) / tl.sqrt(variance + eps)
    tl.store(scale_ptr + channel, scale)
    tl.store(shift_ptr + channel, tl.load(bias_ptr + channel).to(tl.float32) - mean * scale)
    old_mean = tl.load(running_mean_ptr + channel).to(tl.float32)
    old_variance = tl.load(running_variance_ptr + channel).to(tl.float32)
    tl.store(running_mean_ptr + channel, old_mean + momentum * (mean - old_mean))
    tl.store(running_variance_ptr + channel, old_variance + momentum * (squares / (count - 1.0) - old_variance))


@triton.jit
def normalise_kernel(x_ptr, scale_ptr, shift_ptr, out_ptr, channels, size, tiles, factor, BLOCK: tl.constexpr):
    plane = (tl.program_id(0) // tiles).to(tl.int64)
    offsets = (tl.program_id(0) % tiles) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < size
    scale = tl.load(scale_ptr + plane % channels)
    shift = tl.load(shift_ptr + plane % channels)
    x = tl.load(x_ptr + plane * size + offsets, mask=mask, other=0.0).to(tl.float32)
    tl.store(out_ptr + plane * size + offsets, (x * scale + shift) * factor, mask=mask)


def batch_norm(x: torch.Tensor, norm: nn.BatchNorm2d, factor: float) -> torch.Tensor:
    x = x.contiguous()
    batch, channels = x.shape[:2]
    size = x[0, 0].numel()
    means = torch.empty(batch, channels, device=x.device, dtype=torch.float32)
    squares = torch.empty_like(means)
    scale = torch.empty(channels, device=x.device, dtype=torch.float32)
    shift = torch.empty_like(scale)
    out = torch.empty_like(x)
    norm.num_batches_tracked.add_(1)
    plane_statistics_kernel[(batch * channels,)](x, means, squares, size, BLOCK=2048, num_warps=8)
    channel_statistics_kernel[(channels,)](
        means, squares, norm.weight, norm.bias, norm.running_mean, norm.running_var, scale, shift,
        batch, channels, size, norm.eps, norm.momentum, BLOCK=256,
    )
    tiles = triton.cdiv(size, 2048)
    normalise_kernel[(batch * channels * tiles,)](
        x, scale, shift, out, channels, size, tiles, factor, BLOCK=2048
    )
    return out


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, scaling_factor):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.bn = nn.BatchNorm2d(out_channels)
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return batch_norm(self.conv(x), self.bn, self.scaling_factor)
