import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(a, b):
    return a + b


@triton.jit
def block_kernel(x_ptr, y_ptr, sum_ptr, n, blocks, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + base + at, mask=at < n, other=0.0).to(tl.float32)
    tl.store(y_ptr + base + at, tl.associative_scan(x, 0, add), mask=at < n)
    tl.store(sum_ptr + tl.program_id(0) * blocks + tl.program_id(1), tl.sum(x, axis=0))


@triton.jit
def shift_kernel(y_ptr, sum_ptr, n, blocks, MOST: tl.constexpr, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * n
    b = tl.arange(0, MOST)
    before = tl.sum(tl.load(sum_ptr + tl.program_id(0) * blocks + b, mask=b < tl.program_id(1), other=0.0), axis=0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    y = tl.load(y_ptr + base + at, mask=at < n)
    tl.store(y_ptr + base + at, y + before, mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        blocks = triton.cdiv(n, 512)
        y = torch.empty_like(x)
        sums = torch.empty((rows, blocks), device=x.device, dtype=torch.float32)
        block_kernel[(rows, blocks)](x, y, sums, n, blocks, BLOCK=512)
        shift_kernel[(rows, blocks)](y, sums, n, blocks, MOST=triton.next_power_of_2(blocks), BLOCK=512)
        return y
