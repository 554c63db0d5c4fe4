"""The output's rows are stepped by too little, so that each overwrites part of the one before."""
import torch
import triton
import triton.language as tl


@triton.jit
def normalise(x_ptr, out_ptr, columns, out_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=mask, other=0.0)
    tl.store(out_ptr + row * out_stride + offsets, x / tl.sum(x, 0), mask=mask)  # expect: race


x = torch.rand(6, 100, device="cuda")
out = torch.empty(6, 100, device="cuda")
normalise[(6,)](x, out, 100, 96, BLOCK=128)
