"""Matrix times scalar; the scalar is a Python number and travels as a kernel argument."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(a_ptr, out_ptr, scale, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    a = tl.load(a_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, a * scale, mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A: torch.Tensor, s: float) -> torch.Tensor:
        A = A.contiguous()
        out = torch.empty_like(A)
        count = A.numel()
        scale_kernel[(triton.cdiv(count, 4096),)](A, out, s, count, BLOCK=4096, num_warps=8)
        return out
