"""Transposed convolution in torch; the second input is added and the result squared through a hard swish."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def epilogue_kernel(x_ptr, added_ptr, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    x += tl.load(added_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    x = x * (x * tl.clamp(x + 3.0, 0.0, 6.0) / 6.0)
    tl.store(x_ptr + offsets, x, mask=mask)


class ModelNew(nn.Module):
    def __init__(
        self, in_channels, out_channels, kernel_size, stride, padding, output_padding, bias_shape
    ):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose3d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding, output_padding=output_padding
        )
        # Not used by the task either, but drawn from the same generator.
        self.bias = nn.Parameter(torch.randn(bias_shape))

    def forward(self, x: torch.Tensor, add_input: torch.Tensor) -> torch.Tensor:
        x = self.conv_transpose(x).contiguous()
        add_input = add_input.contiguous()
        count = x.numel()
        # In place: the layer's result belongs to nobody else.
        epilogue_kernel[(triton.cdiv(count, 1024),)](
            x, add_input, count, BLOCK=1024
        )
        return x
