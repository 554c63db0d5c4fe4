import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, parts_ptr, done_ptr, y_ptr, n, parts, BLOCK: tl.constexpr, PARTS: tl.constexpr):
    row, part = tl.program_id(0), tl.program_id(1)
    at = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row.to(tl.int64) * n + at, mask=at < n, other=0.0).to(tl.float32)
    tl.atomic_xchg(parts_ptr + row * parts + part, tl.sum(x, axis=0))
    if tl.atomic_add(done_ptr + row, 1) == parts - 1:
        place = tl.arange(0, PARTS)
        each = tl.atomic_add(parts_ptr + row * parts + place, tl.zeros((PARTS,), tl.float32), mask=place < parts)
        tl.store(y_ptr + row, tl.sum(tl.where(place < parts, each, 0.0), axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        parts = triton.cdiv(n, 1024)
        scratch = torch.empty((rows, parts), device=x.device, dtype=torch.float32)
        done = torch.zeros(rows, device=x.device, dtype=torch.int32)
        y = torch.empty(rows, device=x.device, dtype=x.dtype)
        sum_kernel[(rows, parts)](x, scratch, done, y, n, parts, BLOCK=1024, PARTS=triton.next_power_of_2(parts))
        return y
