"""Rows of an odd length, one program a row."""
import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"  # for Triton's interpreter, which takes tensors of the host


@triton.jit
def softmax(x_ptr, out_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * stride + offsets, mask=mask, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + row * stride + offsets, e / tl.sum(e, 0), mask=mask)


x = torch.randn(1823, 781, device=DEVICE)
out = torch.empty_like(x)
softmax[(x.shape[0],)](x, out, x.stride(0), x.shape[1], BLOCK=1024)
