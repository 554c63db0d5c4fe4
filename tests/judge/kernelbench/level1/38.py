"""Division by the mean absolute value of a row; sums are kept lane by lane until the end."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def l1_norm_kernel(x_ptr, out_ptr, width, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * width
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, width, BLOCK):
        x = tl.load(x_ptr + base + start + lanes, mask=start + lanes < width, other=0.0).to(tl.float32)
        total += tl.abs(x)
    norm = tl.sum(total, axis=0) / width
    for start in range(0, width, BLOCK):
        mask = start + lanes < width
        x = tl.load(x_ptr + base + start + lanes, mask=mask, other=0.0).to(tl.float32)
        tl.store(out_ptr + base + start + lanes, x / norm, mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        rows, width = x.shape
        out = torch.empty_like(x)
        l1_norm_kernel[(rows,)](x, out, width, BLOCK=4096, num_warps=8)
        return out
