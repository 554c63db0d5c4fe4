import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def part_kernel(x_ptr, top_ptr, sum_ptr, n, parts, PART: tl.constexpr, BLOCK: tl.constexpr):
    base = tl.program_id(1).to(tl.int64) * n + tl.program_id(0) * PART
    left = n - tl.program_id(0) * PART
    lane = tl.arange(0, BLOCK)
    top, total = -float("inf"), 0.0
    for start in range(0, PART, BLOCK):
        x = tl.load(x_ptr + base + start + lane, mask=start + lane < left, other=-float("inf")).to(tl.float32)
        new_top = tl.maximum(top, tl.max(x, axis=0))
        total = total * tl.exp(top - new_top) + tl.sum(tl.exp(x - new_top), axis=0)
        top = new_top
    tl.store(top_ptr + tl.program_id(1) * parts + tl.program_id(0), top)
    tl.store(sum_ptr + tl.program_id(1) * parts + tl.program_id(0), total)


@triton.jit
def apply_kernel(x_ptr, top_ptr, sum_ptr, y_ptr, n, parts, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(1)
    p = tl.arange(0, PARTS)
    tops = tl.load(top_ptr + row * parts + p, mask=p < parts, other=-float("inf"))
    top = tl.max(tops, axis=0)
    total = tl.sum(tl.exp(tops - top) * tl.load(sum_ptr + row * parts + p, mask=p < parts, other=0.0), axis=0)
    base = row.to(tl.int64) * n
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + base + at, mask=at < n, other=0.0).to(tl.float32)
    tl.store(y_ptr + base + at, tl.exp(x - top) / total, mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        parts = triton.cdiv(n, 8192)
        tops, sums = (torch.empty((rows, parts), device=x.device, dtype=torch.float32) for _ in range(2))
        y = torch.empty_like(x)
        part_kernel[(parts, rows)](x, tops, sums, n, parts, PART=8192, BLOCK=1024)
        apply_kernel[(triton.cdiv(n, 2048), rows)](x, tops, sums, y, n, parts, PARTS=triton.next_power_of_2(parts), BLOCK=2048)
        return y
