import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def part_kernel(x_ptr, key_ptr, rows, columns, part, BR: tl.constexpr, BC: tl.constexpr):
    batch = tl.program_id(2).to(tl.int64)
    c = tl.program_id(0) * BC + tl.arange(0, BC)
    best = tl.full((BC,), -float("inf"), tl.float32)
    for start in range(0, part, BR):
        r = tl.program_id(1) * part + start + tl.arange(0, BR)
        here = (r[:, None] < rows) & (c[None, :] < columns) & (start + tl.arange(0, BR)[:, None] < part)
        x = tl.load(x_ptr + (batch * rows + r[:, None]) * columns + c[None, :], mask=here, other=-float("inf")).to(tl.float32)
        best = tl.maximum(best, tl.max(x, axis=0))
    bits = best.to(tl.int32, bitcast=True)
    key = bits ^ ((bits >> 31) & 0x7FFFFFFF)
    tl.atomic_max(key_ptr + batch * columns + c, key, mask=c < columns)


@triton.jit
def value_kernel(key_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    key = tl.load(key_ptr + at, mask=at < n)
    bits = key ^ ((key >> 31) & 0x7FFFFFFF)
    tl.store(y_ptr + at, bits.to(tl.float32, bitcast=True), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        batch, rows, columns = x.shape
        keys = torch.full((batch, columns), -2147483648, device=x.device, dtype=torch.int32)
        y = torch.empty((batch, columns), device=x.device, dtype=x.dtype)
        part_kernel[(triton.cdiv(columns, 128), triton.cdiv(rows, 256), batch)](x, keys, rows, columns, 256, BR=16, BC=128)
        value_kernel[(triton.cdiv(y.numel(), 1024),)](keys, y, y.numel(), BLOCK=1024)
        return y
