"""The largest value of a row is looked for among lanes that hold anything."""
import torch
import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=mask)  # expect: masked_value
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + row * columns + offsets, e / tl.sum(tl.where(mask, e, 0.0), 0), mask=mask)


x = torch.randn(4, 50, device="cuda", dtype=torch.bfloat16)
out = torch.empty_like(x)
softmax[(4,)](x, out, 50, BLOCK=64)
