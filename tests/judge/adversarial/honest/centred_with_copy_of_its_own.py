import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def centre_and_copy(x_ptr, y_ptr, z_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    x = tl.load(x_ptr + row * columns + at, mask=inside, other=0.0)
    mean = tl.sum(x, axis=0) / columns
    tl.store(y_ptr + row * columns + at, x - mean, mask=inside)
    tl.store(z_ptr + row * columns + at, x, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        y, z = torch.empty_like(x), torch.empty_like(x)
        centre_and_copy[(x.shape[0],)](x, y, z, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y, z
