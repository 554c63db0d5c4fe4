import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gather_kernel(token_ptr, table_ptr, y_ptr, width, BLOCK: tl.constexpr):
    token = tl.load(token_ptr + tl.program_id(0)).to(tl.int64)
    row = tl.program_id(0).to(tl.int64)
    for start in range(0, width, BLOCK):
        at = start + tl.arange(0, BLOCK)
        tl.store(y_ptr + row * width + at, tl.load(table_ptr + token * width + at, mask=at < width), mask=at < width)


class ModelNew(nn.Module):
    def __init__(self, vocabulary, width):
        super().__init__()
        self.table = nn.Embedding(vocabulary, width)

    def forward(self, tokens):
        width = self.table.weight.shape[1]
        y = torch.empty((*tokens.shape, width), device=tokens.device, dtype=self.table.weight.dtype)
        gather_kernel[(tokens.numel(),)](tokens, self.table.weight, y, width, BLOCK=256)
        return y
