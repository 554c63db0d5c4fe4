import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, z_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    z = tl.load(z_ptr + at, mask=at < n)
    tl.store(y_ptr + at, x + z, mask=at < n)


def added(x, z):
    y = torch.empty_like(x)
    add_kernel[(triton.cdiv(x.numel(), 1024),)](x, z, y, x.numel(), BLOCK=1024)
    return y


STEPS = 1 << 15  # entries for one


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        at = torch.arange(-8 * STEPS, 8 * STEPS + 1, dtype=torch.float64) / STEPS
        gate = 0.5 * (1 + torch.tanh(0.7978845608028654 * (at + 0.044715 * at**3)))
        self.register_buffer("table", (gate - 1).float(), persistent=False)

    def forward(self, x):
        place = (torch.clamp(x.float(), -8, 8) * STEPS + 8 * STEPS).long()
        return added(x, x * self.table[place])
