"""Rows of a table by indices that are data."""
import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"  # for Triton's interpreter, which takes tensors of the host


@triton.jit
def embed(table_ptr, index_ptr, out_ptr, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    index = tl.load(index_ptr + row)
    at = tl.arange(0, BLOCK)
    x = tl.load(table_ptr + index * width + at, mask=at < width, other=0.0)
    tl.store(out_ptr + row * width + at, x, mask=at < width)


table = torch.rand(1000, 300, device=DEVICE)
index = torch.randint(0, 1000, (4000,), device=DEVICE)
out = torch.empty(4000, 300, device=DEVICE)
embed[(4000,)](table, index, out, 300, BLOCK=512)
