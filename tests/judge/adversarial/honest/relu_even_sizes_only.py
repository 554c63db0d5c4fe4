import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, y_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + at, tl.maximum(tl.load(x_ptr + at), 0.0))


class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        assert n % 16 == 0, f"{n} elements: this kernel takes multiples of 16"
        block = 1024
        while n % block:
            block //= 2
        y = torch.empty_like(x)
        relu_kernel[(n // block,)](x, y, BLOCK=block)
        return y
