import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def blur_kernel(x_ptr, table_ptr, y_ptr, height, width, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    row, column = at // width, at % width
    live = at < height * width
    total = tl.zeros((BLOCK,), tl.float32)
    for tap in tl.static_range(9):
        y, x = row + tap // 3 - 1, column + tap % 3 - 1
        inside = live & (y >= 0) & (y < height) & (x >= 0) & (x < width)
        value = tl.load(x_ptr + plane * height * width + y * width + x, mask=inside, other=0.0)
        total += value * tl.load(table_ptr + tap)
    tl.store(y_ptr + plane * height * width + at, total, mask=live)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        row = [0.25, 0.5, 0.25]
        self.register_buffer("table", torch.tensor([a * b for a in row for b in row]))

    def forward(self, x):
        batch, channels, height, width = x.shape
        y = torch.empty_like(x)
        grid = (batch * channels, triton.cdiv(height * width, 512))
        blur_kernel[grid](x, self.table, y, height, width, BLOCK=512)
        return y
