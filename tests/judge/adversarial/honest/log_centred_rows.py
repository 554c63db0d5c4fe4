import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def log_centred_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + at, mask=at < n, other=1.0)
    y = tl.log(x)
    tl.store(y_ptr + row * n + at, y - tl.sum(y, 0) / n, mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.shape[1]
        log_centred_kernel[(x.shape[0],)](x, y, n, BLOCK=triton.next_power_of_2(n))
        return y
