"""An index is as large as the table."""
import torch
import triton
import triton.language as tl


@triton.jit
def gather(table_ptr, index_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    index = tl.load(index_ptr + offsets, mask=mask, other=0)
    value = tl.load(table_ptr + index, mask=mask)  # expect: out_of_bounds
    tl.store(out_ptr + offsets, value, mask=mask)


table = torch.rand(50, device="cuda")
index = torch.randint(0, 50, (200,), device="cuda")
index[120] = 50
out = torch.empty(200, device="cuda")
gather[(2,)](table, index, out, 200, BLOCK=128)
