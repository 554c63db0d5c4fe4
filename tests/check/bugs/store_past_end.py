"""The load is guarded, the store is not."""
import torch
import triton
import triton.language as tl


@triton.jit
def relu(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(out_ptr + offsets, tl.maximum(x, 0.0))  # expect: out_of_bounds


x = torch.randn(777, device="cuda", dtype=torch.bfloat16)
out = torch.empty_like(x)
relu[(triton.cdiv(777, 128),)](x, out, 777, BLOCK=128)
torch.testing.assert_close(out, x.relu())
