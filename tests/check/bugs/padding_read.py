"""Rows are padded to a power of two; the padding is read, and nobody filled it."""
import torch
import triton
import triton.language as tl


@triton.jit
def row_max(x_ptr, out_ptr, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x = tl.load(x_ptr + row * stride + tl.arange(0, BLOCK))  # expect: undefined_read
    tl.store(out_ptr + row, tl.max(x, 0))


padded = torch.empty(4, 64, device="cuda")
padded[:, :50] = torch.rand(4, 50, device="cuda")
out = torch.empty(4, device="cuda")
row_max[(4,)](padded, out, padded.stride(0), BLOCK=64)
