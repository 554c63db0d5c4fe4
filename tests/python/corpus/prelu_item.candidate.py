import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def prelu_inplace(ptr, slope, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(ptr + i, mask=i < n)
    tl.store(ptr + i, tl.where(v >= 0, v, v * slope), mask=i < n)


class PReluBlockNew(nn.Module):
    def __init__(self, in_ch, out_ch):
        super().__init__()
        self.conv = nn.Conv2d(in_ch, out_ch, 3, padding=1)
        self.act = nn.PReLU()

    def forward(self, x):
        y = self.conv(x)
        # One number is read back from the device: the slope becomes a plain kernel argument.
        slope = self.act.weight.item()
        if slope == 1.0:
            return y
        prelu_inplace[(triton.cdiv(y.numel(), 256),)](y, slope, y.numel(), BLOCK=256)
        return y
