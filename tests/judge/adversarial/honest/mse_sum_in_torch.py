import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partial_kernel(p_ptr, t_ptr, partial_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    p = tl.load(p_ptr + at, mask=at < n, other=0.0).to(tl.float32)
    t = tl.load(t_ptr + at, mask=at < n, other=0.0)
    tl.store(partial_ptr + tl.program_id(0), tl.sum((p - t) * (p - t), axis=0))


class ModelNew(nn.Module):
    def forward(self, predictions, targets):
        n = predictions.numel()
        partial = torch.empty(triton.cdiv(n, 4096), device=predictions.device, dtype=torch.float32)
        partial_kernel[(partial.numel(),)](predictions, targets, partial, n, BLOCK=4096, num_warps=8)
        return partial.sum() / n
