import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def lookup_kernel(tokens_ptr, table_ptr, y_ptr, count, width, TOKENS: tl.constexpr, BLOCK: tl.constexpr):
    t = tl.program_id(0) * TOKENS + tl.arange(0, TOKENS)
    d = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    here = (t[:, None] < count) & (d[None, :] < width)
    token = tl.load(tokens_ptr + t, mask=t < count, other=0).to(tl.int64)
    tl.store(y_ptr + t[:, None].to(tl.int64) * width + d[None, :], tl.load(table_ptr + token[:, None] * width + d[None, :], mask=here), mask=here)


class ModelNew(nn.Module):
    def __init__(self, vocabulary, width):
        super().__init__()
        self.table = nn.Embedding(vocabulary, width)

    def forward(self, tokens):
        table = self.table.weight
        y = torch.empty((tokens.shape[0], table.shape[1]), device=tokens.device, dtype=table.dtype)
        grid = (triton.cdiv(tokens.shape[0], 16), triton.cdiv(table.shape[1], 128))
        lookup_kernel[grid](tokens, table, y, tokens.shape[0], table.shape[1], TOKENS=16, BLOCK=128)
        return y
