import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def compose(a1, x1, a2, x2):
    # Two affine maps h -> a h + x, one after the other.
    return a1 * a2, a2 * x1 + x2


@triton.jit
def linear_scan(a_ptr, x_ptr, h_ptr, T, D, BLOCK_T: tl.constexpr, BLOCK_D: tl.constexpr):
    b = tl.program_id(0)
    d = tl.program_id(1) * BLOCK_D + tl.arange(0, BLOCK_D)
    t = tl.arange(0, BLOCK_T)
    at = b * T * D + t[:, None] * D + d[None, :]
    m = (t[:, None] < T) & (d[None, :] < D)
    a = tl.load(a_ptr + at, mask=m, other=1.0)
    x = tl.load(x_ptr + at, mask=m, other=0.0)
    _, h = tl.associative_scan((a, x), axis=0, combine_fn=compose)
    tl.store(h_ptr + at, h, mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a, x):
        B, T, D = x.shape
        h = torch.empty_like(x)
        linear_scan[(B, triton.cdiv(D, 32))](
            a, x, h, T, D, BLOCK_T=triton.next_power_of_2(T), BLOCK_D=32
        )
        return h
