"""An assert of the kernel's own does not hold."""
import torch
import triton
import triton.language as tl


@triton.jit(debug=True)
def lookup(table_ptr, index_ptr, out_ptr, size, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    index = tl.load(index_ptr + offsets)
    tl.device_assert(index < size, "index behind the table")  # expect: assert
    tl.store(out_ptr + offsets, tl.load(table_ptr + index))


table = torch.rand(100, device="cuda")
index = torch.randint(0, 90, (32,), device="cuda")
index[7] = 95
out = torch.empty(32, device="cuda")
lookup[(1,)](table, index, out, 90, BLOCK=32)
