"""RMS normalisation for rows of any length: the row is walked in chunks, twice.

The second walk mostly finds the row in the L2 cache, so memory is still read about once.
"""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rmsnorm_kernel(x_ptr, weight_ptr, out_ptr, hidden, eps, BLOCK: tl.constexpr):
    # 64-bit offsets: large tensors have more elements than 32 bits can count.
    row_start = tl.program_id(0).to(tl.int64) * hidden
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, hidden, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row_start + columns, mask=columns < hidden, other=0.0)
        squares += x * x
    scale = tl.rsqrt(tl.sum(squares, axis=0) / hidden + eps)
    for start in range(0, hidden, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        mask = columns < hidden
        x = tl.load(x_ptr + row_start + columns, mask=mask)
        weight = tl.load(weight_ptr + columns, mask=mask)
        tl.store(out_ptr + row_start + columns, x * scale * weight, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, hidden: int, eps: float = 1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(hidden))
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        hidden = x.shape[-1]
        out = torch.empty_like(x)
        rmsnorm_kernel[(x.numel() // hidden,)](x, self.weight, out, hidden, self.eps, BLOCK=1024)
        return out
