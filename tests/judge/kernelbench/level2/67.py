"""Convolution in torch; GELU and the mean of a plane in one kernel."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gelu_mean_kernel(x_ptr, out_ptr, size, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, size, BLOCK):
        # What is masked is zero, and GELU of zero is zero.
        x = tl.load(x_ptr + plane * size + start + lanes, mask=start + lanes < size, other=0.0).to(tl.float32)
        total += 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    tl.store(out_ptr + plane, tl.sum(total, axis=0) / size)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x).contiguous()
        images, channels = x.shape[:2]
        out = torch.empty(images, channels, device=x.device, dtype=x.dtype)
        gelu_mean_kernel[(images * channels,)](x, out, x[0, 0].numel(), BLOCK=2048, num_warps=8)
        return out
