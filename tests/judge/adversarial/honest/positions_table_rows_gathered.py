import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, p_ptr, t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.load(p_ptr + row)
    i = tl.arange(0, BLOCK)
    z = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0) + tl.load(t_ptr + at * n + i, mask=i < n, other=0.0)
    e = tl.exp(-2 * tl.abs(z))
    y = (1 - e) / (1 + e)
    tl.store(y_ptr + row * n + i, tl.where(z < 0, -y, y), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, tokens, width):
        super().__init__()
        self.table = nn.Parameter(torch.randn(tokens, width))

    def forward(self, x, position):
        y = torch.empty_like(x)
        k[(x.shape[0],)](x, position, self.table, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
