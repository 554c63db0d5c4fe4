import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, v_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros((BLOCK,), tl.float32)
    count = tl.zeros((BLOCK,), tl.int32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(v_ptr + row * n + i, mask=i < n, other=0) != 0
        total += tl.where(v, tl.load(x_ptr + row * n + i, mask=i < n, other=0.0), 0.0)
        count += v.to(tl.int32)
    tl.store(y_ptr + row, tl.sum(total, axis=0) / tl.maximum(tl.sum(count, axis=0), 1))


class ModelNew(nn.Module):
    def forward(self, x, valid):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        k[(x.shape[0],)](x, valid, y, x.shape[1], BLOCK=1024)
        return y
