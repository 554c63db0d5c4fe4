"""Indices that a mask turned off are used as if they were indices."""
import torch
import triton
import triton.language as tl


@triton.jit
def embed(table_ptr, index_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    index = tl.load(index_ptr + offsets, mask=mask)  # expect: masked_value
    value = tl.load(table_ptr + index)
    tl.store(out_ptr + offsets, value, mask=mask)


table = torch.rand(30, device="cuda")
index = torch.randint(0, 30, (90,), device="cuda")
out = torch.empty(90, device="cuda")
embed[(1,)](table, index, out, 90, BLOCK=128)
