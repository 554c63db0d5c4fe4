import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def masked_mean(x_ptr, valid_ptr, y_ptr, S, D, BLOCK_S: tl.constexpr, BLOCK_D: tl.constexpr):
    b = tl.program_id(0).to(tl.int64)
    d = tl.program_id(1) * BLOCK_D + tl.arange(0, BLOCK_D)
    acc = tl.zeros((BLOCK_D,), tl.float32)
    count = 0
    for s0 in range(0, S, BLOCK_S):
        s = s0 + tl.arange(0, BLOCK_S)
        ok = tl.load(valid_ptr + b * S + s, mask=s < S, other=0).to(tl.int1)
        # Positions that are masked out are not even read.
        at = b * S * D + s[:, None] * D + d[None, :]
        x = tl.load(x_ptr + at, mask=ok[:, None] & (d[None, :] < D), other=0.0)
        acc += tl.sum(x, axis=0)
        count += tl.sum(ok.to(tl.int32), axis=0)
    mean = tl.where(count > 0, acc / tl.maximum(count, 1), 0.0)
    tl.store(y_ptr + b * D + d, mean, mask=d < D)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, valid):
        assert valid.dtype is torch.bool
        B, S, D = x.shape
        y = torch.empty(B, D, device=x.device, dtype=x.dtype)
        masked_mean[(B, triton.cdiv(D, 128))](x, valid, y, S, D, BLOCK_S=32, BLOCK_D=128)
        return y, x[:, 0]
