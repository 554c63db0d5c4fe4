"""Addresses are kept in a table, and one of the tensors is not."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_all(table_ptr, out_ptr, count, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for i in range(count):
        x_ptr = tl.load(table_ptr + i).to(tl.pointer_type(tl.float32))
        total += tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)  # expect: out_of_bounds
    tl.store(out_ptr + offsets, total, mask=offsets < n)


tensors = [torch.ones(100, device="cuda") for _ in range(3)]
table = torch.tensor([t.data_ptr() for t in tensors], device="cuda")
del tensors[1]
out = torch.empty(100, device="cuda")
add_all[(1,)](table, out, 3, 100, BLOCK=128)
