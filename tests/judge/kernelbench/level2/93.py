"""Transposed convolution in torch; addition, minimum with zero, GELU and scaling in one pass."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def epilogue_kernel(x_ptr, added, factor, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    x = tl.minimum(x + added, 0.0)
    x = 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476)) * factor
    tl.store(x_ptr + offsets, x, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride, add_value, multiply_value):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose2d(in_channels, out_channels, kernel_size, stride=stride)
        self.add_value = add_value
        self.multiply_value = multiply_value

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x).contiguous()
        count = x.numel()
        # In place: the layer's result belongs to nobody else.
        epilogue_kernel[(triton.cdiv(count, 1024),)](
            x, self.add_value, self.multiply_value, count, BLOCK=1024
        )
        return x
