"""Attention of one head after the other, with a running maximum."""
import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"  # for Triton's interpreter, which takes tensors of the host


@triton.jit
def attention(q_ptr, k_ptr, v_ptr, out_ptr, length, scale, BLOCK: tl.constexpr, WIDTH: tl.constexpr):
    head = tl.program_id(1) * length * WIDTH
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    depth = tl.arange(0, WIDTH)
    q = tl.load(q_ptr + head + rows[:, None] * WIDTH + depth[None, :], mask=rows[:, None] < length, other=0.0)
    best = tl.full((BLOCK,), -1e30, tl.float32)
    norm = tl.zeros((BLOCK,), dtype=tl.float32)
    total = tl.zeros((BLOCK, WIDTH), dtype=tl.float32)
    for begin in range(0, length, BLOCK):
        keys = begin + tl.arange(0, BLOCK)
        k = tl.load(k_ptr + head + keys[None, :] * WIDTH + depth[:, None], mask=keys[None, :] < length, other=0.0)
        scores = tl.where(keys[None, :] < length, tl.dot(q, k) * scale, -1e30)
        now = tl.maximum(best, tl.max(scores, 1))
        p = tl.exp(scores - now[:, None])
        shrink = tl.exp(best - now)
        norm = norm * shrink + tl.sum(p, 1)
        v = tl.load(v_ptr + head + keys[:, None] * WIDTH + depth[None, :], mask=keys[:, None] < length, other=0.0)
        total = total * shrink[:, None] + tl.dot(p.to(v.dtype), v)
        best = now
    tl.store(out_ptr + head + rows[:, None] * WIDTH + depth[None, :], total / norm[:, None], mask=rows[:, None] < length)


heads, length, width = 8, 500, 64
q, k, v = (torch.randn(heads, length, width, device=DEVICE, dtype=torch.float16) for _ in range(3))
out = torch.empty(heads, length, width, device=DEVICE)
attention[(triton.cdiv(length, 32), heads)](q, k, v, out, length, width**-0.5, BLOCK=32, WIDTH=width)
