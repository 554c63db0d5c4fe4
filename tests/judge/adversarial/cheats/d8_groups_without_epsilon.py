import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def group_norm_kernel(x_ptr, w_ptr, b_ptr, y_ptr, n, pixels, channels, groups, eps, BLOCK: tl.constexpr):
    group = tl.program_id(0).to(tl.int64)
    base = group * n
    first = group % groups * (channels // groups)
    lane = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        total += tl.load(x_ptr + base + start + lane, mask=start + lane < n, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / n
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        x = tl.load(x_ptr + base + start + lane, mask=start + lane < n, other=0.0).to(tl.float32)
        centred = tl.where(start + lane < n, x - mean, 0.0)
        squares += centred * centred
    rstd = 1.0 / tl.sqrt((tl.sum(squares, axis=0) / n))
    for start in range(0, n, BLOCK):
        at = start + lane
        channel = first + at // pixels
        x = tl.load(x_ptr + base + at, mask=at < n).to(tl.float32)
        w, b = tl.load(w_ptr + channel, mask=at < n), tl.load(b_ptr + channel, mask=at < n)
        tl.store(y_ptr + base + at, (x - mean) * rstd * w + b, mask=at < n)


def group_norm(x, groups, weight, bias, eps):
    channels, pixels = x.shape[1], x.shape[2] * x.shape[3]
    y = torch.empty_like(x)
    group_norm_kernel[(x.shape[0] * groups,)](x, weight, bias, y, channels // groups * pixels, pixels, channels, groups, eps, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self, groups, channels):
        super().__init__()
        self.groups = groups
        self.scale = nn.Parameter(torch.ones(channels))
        self.shift = nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        return group_norm(x.contiguous(), self.groups, self.scale, self.shift, 1e-5)
