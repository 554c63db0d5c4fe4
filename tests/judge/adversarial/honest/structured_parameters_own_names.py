import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, gain_ptr, shift_ptr, decay_ptr, tone_ptr, y_ptr, n, columns, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    column = at % columns
    x = tl.load(x_ptr + at, mask=inside)
    gain = tl.load(gain_ptr + column, mask=inside)
    shift = tl.load(shift_ptr + column, mask=inside)
    decay = tl.load(decay_ptr + column, mask=inside)
    tone = tl.load(tone_ptr + column, mask=inside)
    y = tl.sigmoid(x * gain + shift) * tone * tl.exp(-0.1 * decay)
    tl.store(y_ptr + at, y, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.a = nn.Parameter(torch.full((dim,), 0.5))
        self.b = nn.Parameter(torch.cat([torch.zeros(dim // 2), torch.ones(dim - dim // 2)]))
        self.c = nn.Parameter(torch.arange(1, dim + 1).float().log())
        self.d = nn.Parameter(nn.init.normal_(torch.empty(dim), 1.0, 1e-6))

    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1024),)](
            x, self.a, self.b, self.c, self.d, y, x.numel(), x.shape[-1], BLOCK=1024)
        return y
