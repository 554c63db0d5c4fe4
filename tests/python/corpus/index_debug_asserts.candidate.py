import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit(debug=True)
def pick(table_ptr, index_ptr, out_ptr, rows, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = r < rows
    i = tl.load(index_ptr + r, mask=m, other=0)
    tl.device_assert((i >= 0) & (i < cols), "index out of range", mask=m)
    bad = tl.sum(((i < 0) | (i >= cols)).to(tl.int32), axis=0)
    if bad > 0:
        tl.device_print("bad indices in block", bad)
    tl.store(out_ptr + r, tl.load(table_ptr + r.to(tl.int64) * cols + i, mask=m), mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, table, index):
        rows, cols = table.shape
        out = torch.empty(rows, device=table.device, dtype=table.dtype)
        pick[(triton.cdiv(rows, 256),)](table, index, out, rows, cols, BLOCK=256)
        return out
