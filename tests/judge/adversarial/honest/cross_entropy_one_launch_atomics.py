import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def ce_kernel(x_ptr, t_ptr, out_ptr, B, C, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * C + i, mask=i < C, other=-float("inf"))
    t = tl.load(t_ptr + row)
    m = tl.max(x, 0)
    lse = m + tl.log(tl.sum(tl.exp(x - m), 0))
    xt = tl.sum(tl.where(i == t, x, 0.0), 0)
    tl.atomic_add(out_ptr, (lse - xt) / B)


class ModelNew(nn.Module):
    def forward(self, logits, targets):
        B, C = logits.shape
        out = torch.zeros((), device=logits.device, dtype=torch.float32)
        with torch.cuda.device(logits.device):
            ce_kernel[(B,)](logits, targets, out, B, C, BLOCK=triton.next_power_of_2(C), num_warps=8)
        return out
