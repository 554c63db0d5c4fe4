import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def silu_mul_kernel(x_ptr, y_ptr, D, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    d = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    m = d < D
    a = tl.load(x_ptr + row * 2 * D + d, mask=m)
    b = tl.load(x_ptr + row * 2 * D + D + d, mask=m)
    tl.store(y_ptr + row * D + d, a * tl.sigmoid(a) * b, mask=m)


@torch.library.custom_op("corpus::silu_mul", mutates_args=())
def silu_mul(x: torch.Tensor) -> torch.Tensor:
    rows, width = x.shape
    y = torch.empty(rows, width // 2, dtype=x.dtype, device=x.device)
    silu_mul_kernel[(rows, triton.cdiv(width // 2, 1024))](x, y, width // 2, BLOCK=1024)
    return y


@silu_mul.register_fake
def _(x):
    return x.new_empty(x.shape[0], x.shape[1] // 2)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return torch.ops.corpus.silu_mul(x)
