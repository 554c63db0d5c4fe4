"""Average pooling of planes of 2^32 elements in all: offsets of planes need 64 bits."""
import math

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def pool_kernel(
    x_ptr, out_ptr, in_h, in_w, out_h, out_w, window, stride, padding, tiles, BLOCK: tl.constexpr
):
    plane = (tl.program_id(0) // tiles).to(tl.int64)
    position = (tl.program_id(0) % tiles) * BLOCK + tl.arange(0, BLOCK)
    inside = position < out_h * out_w
    h = position // out_w
    w = position % out_w
    base = x_ptr + plane * (in_h * in_w)
    result = tl.full((BLOCK,), 0.0, dtype=tl.float32)
    for kh in range(0, window):
        ih = h * stride - padding + kh
        for kw in range(0, window):
            iw = w * stride - padding + kw
            mask = inside & (ih >= 0) & (ih < in_h) & (iw >= 0) & (iw < in_w)
            x = tl.load(base + ih * in_w + iw, mask=mask, other=0.0).to(tl.float32)
            result += x
    tl.store(out_ptr + plane * (out_h * out_w) + position, result / (window * window), mask=inside)


class ModelNew(nn.Module):
    def __init__(self, kernel_size: int, stride: int = None, padding: int = 0):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride or kernel_size
        self.padding = padding

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        reach = self.kernel_size
        sizes = x.shape[2:]
        out_sizes = [(size + 2 * self.padding - reach) // self.stride + 1 for size in sizes]
        out = torch.empty(*x.shape[:2], *out_sizes, device=x.device, dtype=x.dtype)
        tiles = triton.cdiv(math.prod(out_sizes), 512)
        pool_kernel[(x.shape[0] * x.shape[1] * tiles,)](
            x, out, *sizes, *out_sizes, self.kernel_size, self.stride, self.padding, tiles, BLOCK=512
        )
        return out
