"""One program hands a value to another through memory with nothing to order the two."""
import torch
import triton
import triton.language as tl


@triton.jit
def chain(x_ptr, partial_ptr, out_ptr, BLOCK: tl.constexpr):
    part = tl.program_id(0)
    offsets = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(partial_ptr + part, tl.sum(x, 0))
    before = tl.load(partial_ptr + part - 1, mask=part > 0, other=0.0)  # expect: race
    tl.store(out_ptr + offsets, x + before)


x = torch.rand(512, device="cuda")
partial = torch.zeros(4, device="cuda")
out = torch.empty_like(x)
chain[(4,)](x, partial, out, BLOCK=128)
