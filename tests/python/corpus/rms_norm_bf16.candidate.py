import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rms_norm_fwd(X, W, Y, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    X += row * stride
    Y += row * stride
    c = tl.arange(0, BLOCK)
    keep = c < N
    x = tl.load(X + c, mask=keep, other=0.0).to(tl.float32)
    r = tl.rsqrt(tl.sum(x * x, axis=0) / N + eps)
    w = tl.load(W + c, mask=keep, other=0.0).to(tl.float32)
    # Round the normalised value first, as the reference does.
    h = (x * r).to(tl.bfloat16).to(tl.float32)
    tl.store(Y + c, (h * w).to(tl.bfloat16), mask=keep)


class ModelNew(nn.Module):
    def __init__(self, hidden: int, eps: float = 1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(hidden).to(torch.bfloat16))
        self.eps = eps

    def forward(self, x):
        dtype = x.dtype
        flat = x.to(torch.bfloat16).reshape(-1, x.shape[-1])
        out = torch.empty_like(flat)
        rows, n = flat.shape
        rms_norm_fwd[(rows,)](
            flat, self.weight, out, flat.stride(0), n, self.eps,
            BLOCK=triton.next_power_of_2(n), num_warps=min(16, max(1, triton.next_power_of_2(n) // 256)),
        )
        return out.view(x.shape).to(dtype)
