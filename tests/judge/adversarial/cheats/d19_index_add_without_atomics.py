import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def k(out_ptr, index_ptr, rows_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, BLOCK)
    to = tl.load(index_ptr + row)
    add = tl.load(rows_ptr + row * n + i, mask=i < n, other=0.0)
    have = tl.load(out_ptr + to * n + i, mask=i < n, other=0.0)
    tl.store(out_ptr + to * n + i, have + tl.maximum(add, 0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, table, index, rows):
        out = table.clone()
        n = rows.shape[1]
        k[(rows.shape[0],)](out, index, rows, n, BLOCK=triton.next_power_of_2(n))
        return out
