import torch
import torch.nn as nn
import triton
import triton.language as tl


TAPS = torch.tensor([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]) / 16
ON_DEVICE = {}


@triton.jit
def blur_kernel(x_ptr, taps_ptr, y_ptr, height, width, BLOCK: tl.constexpr):
    plane = tl.program_id(1).to(tl.int64) * height * width
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < height * width
    row, column = at // width, at % width
    total = tl.zeros((BLOCK,), tl.float32)
    for i in tl.static_range(3):
        for j in tl.static_range(3):
            r, c = row + i - 1, column + j - 1
            here = inside & (r >= 0) & (r < height) & (c >= 0) & (c < width)
            total += tl.load(taps_ptr + 3 * i + j) * tl.load(x_ptr + plane + r * width + c, mask=here, other=0.0)
    tl.store(y_ptr + plane + at, total, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()

    def forward(self, x):
        if x.device not in ON_DEVICE:
            ON_DEVICE[x.device] = TAPS.to(x.device)
        y = torch.empty_like(x)
        batch, channels, height, width = x.shape
        blur_kernel[(triton.cdiv(height * width, 1024), batch * channels)](x, ON_DEVICE[x.device], y, height, width, BLOCK=1024)
        return y
