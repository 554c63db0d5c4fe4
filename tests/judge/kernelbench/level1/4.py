"""Matrix times vector: one program a row, lanes add up apart."""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def matvec_kernel(a_ptr, b_ptr, out_ptr, K, BLOCK: tl.constexpr):
    # The matrix has 2^31 elements: the row's offset needs 64 bits.
    row = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, K, BLOCK):
        mask = start + lanes < K
        a = tl.load(a_ptr + row * K + start + lanes, mask=mask, other=0.0).to(tl.float32)
        b = tl.load(b_ptr + start + lanes, mask=mask, other=0.0).to(tl.float32)
        total += a * b
    tl.store(out_ptr + row, tl.sum(total, axis=0))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        A, B = A.contiguous(), B.contiguous()
        M, K = A.shape
        out = torch.empty(M, 1, device=A.device, dtype=A.dtype)
        matvec_kernel[(M,)](A, B, out, K, BLOCK=4096, num_warps=8)
        return out
