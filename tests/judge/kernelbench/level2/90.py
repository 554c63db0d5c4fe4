"""Convolution in torch; leaky ReLU, addition by channel, clamp and GELU in one pass."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def epilogue_kernel(x_ptr, sum_ptr, channels, size, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    channel = offsets // size % channels
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    x = tl.where(x > 0, x, 0.2 * x)
    x += tl.load(sum_ptr + channel, mask=mask, other=0.0).to(tl.float32)
    x = tl.clamp(x, -1.0, 1.0)
    x = 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    tl.store(x_ptr + offsets, x, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, sum_tensor_shape):
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.sum_tensor = nn.Parameter(torch.randn(sum_tensor_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x).contiguous()
        count = x.numel()
        # In place: the layer's result belongs to nobody else.
        epilogue_kernel[(triton.cdiv(count, 1024),)](
            x, self.sum_tensor, x.shape[1], x[0, 0].numel(), count, BLOCK=1024
        )
        return x
