"""Mean and variance in loops over blocks of each row."""
import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"  # for Triton's interpreter, which takes tensors of the host


@triton.jit
def layer_norm(x_ptr, weight_ptr, out_ptr, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for begin in range(0, columns, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0)
    mean = tl.sum(total, 0) / columns
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for begin in range(0, columns, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0)
        x = tl.where(at < columns, x - mean, 0.0)
        total += x * x
    scale = tl.rsqrt(tl.sum(total, 0) / columns + eps)
    for begin in range(0, columns, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0)
        weight = tl.load(weight_ptr + at, mask=at < columns, other=0.0)
        tl.store(out_ptr + row * columns + at, (x - mean) * scale * weight, mask=at < columns)


x = torch.randn(512, 5000, device=DEVICE)
weight = torch.rand(5000, device=DEVICE)
out = torch.empty_like(x)
layer_norm[(512,)](x, weight, out, 5000, 1e-5, BLOCK=512)
