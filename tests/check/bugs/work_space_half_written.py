"""The second kernel reads parts that the first did not write."""
import torch
import triton
import triton.language as tl


@triton.jit
def partial_sums(x_ptr, work_ptr, n, BLOCK: tl.constexpr):
    part = tl.program_id(0)
    offsets = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(work_ptr + part, tl.sum(x, 0))


@triton.jit
def finish(work_ptr, out_ptr, PARTS: tl.constexpr):
    parts = tl.load(work_ptr + tl.arange(0, PARTS))  # expect: undefined_read
    tl.store(out_ptr, tl.sum(parts, 0))


x = torch.rand(700, device="cuda")
work = torch.empty(8, device="cuda")
out = torch.empty(1, device="cuda")
partial_sums[(triton.cdiv(700, 128),)](x, work, 700, BLOCK=128)
finish[(1,)](work, out, PARTS=8)
