import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(x_ptr, y_ptr, channels, pixels, eps, BC: tl.constexpr, BP: tl.constexpr):
    image = tl.program_id(0).to(tl.int64) * channels * pixels
    first = tl.program_id(1) * BP
    tile = tl.make_block_ptr(x_ptr + image, (channels, pixels), (pixels, 1), (0, first), (BC, BP), (1, 0))
    squares = tl.zeros((BP,), tl.float32)
    for _ in range(0, channels, BC):
        x = tl.load(tile, boundary_check=(0, 1), padding_option="zero").to(tl.float32)
        squares += tl.sum(x * x, axis=0)
        tile = tl.advance(tile, (BC, 0))
    scale = 1.0 / tl.sqrt(squares / channels + eps)
    tile = tl.make_block_ptr(x_ptr + image, (channels, pixels), (pixels, 1), (0, first), (BC, BP), (1, 0))
    out = tl.make_block_ptr(y_ptr + image, (channels, pixels), (pixels, 1), (0, first), (BC, BP), (1, 0))
    for _ in range(0, channels, BC):
        x = tl.load(tile, boundary_check=(0, 1), padding_option="zero")
        tl.store(out, x * scale[None, :], boundary_check=(0, 1))
        tile = tl.advance(tile, (BC, 0))
        out = tl.advance(out, (BC, 0))


class ModelNew(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        x = x.contiguous()
        batch, channels = x.shape[:2]
        pixels = x[0, 0].numel()
        y = torch.empty_like(x)
        rms_norm_kernel[(batch, triton.cdiv(pixels, 128))](x, y, channels, pixels, self.eps, BC=16, BP=128)
        return y
