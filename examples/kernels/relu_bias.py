"""relu(x + bias) in one pass.

PyTorch runs two kernels here: the addition writes a whole tensor, and the ReLU reads it back. Both are
limited by memory, so doing them together halves the traffic.

An answer to a task defines `ModelNew`: same constructor, same forward, same results.
"""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_bias_kernel(x_ptr, bias_ptr, out_ptr, n_elements, channels, pixels, BLOCK: tl.constexpr):
    # A Triton kernel is written for one block of elements; `program_id` says which block this is.
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    # The last block may reach past the end of the tensor: the mask switches those lanes off.
    mask = offsets < n_elements
    # In a contiguous (batch, channel, height, width) tensor the channel follows from the flat offset.
    channel = (offsets // pixels) % channels
    x = tl.load(x_ptr + offsets, mask=mask)
    bias = tl.load(bias_ptr + channel, mask=mask)
    tl.store(out_ptr + offsets, tl.maximum(x + bias, 0.0), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        # Parameters are created exactly as in `Model`, so both start from the same values.
        self.bias = nn.Parameter(torch.randn(channels, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        out = torch.empty_like(x)
        n_elements = x.numel()
        channels, pixels = x.shape[1], x.shape[2] * x.shape[3]
        # The grid is the number of programs: enough blocks to cover every element.
        grid = (triton.cdiv(n_elements, 1024),)
        relu_bias_kernel[grid](x, self.bias, out, n_elements, channels, pixels, BLOCK=1024)
        return out
