"""An expanded row is one row of memory, and is read as eight."""
import torch
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, bias_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    bias = tl.load(bias_ptr + offsets, mask=mask)  # expect: out_of_bounds
    tl.store(out_ptr + offsets, x + bias, mask=mask)


x = torch.rand(8, 64, device="cuda")
bias = torch.rand(64, device="cuda").expand(8, 64)
out = torch.empty_like(x)
add[(4,)](x, bias, out, x.numel(), BLOCK=128)
