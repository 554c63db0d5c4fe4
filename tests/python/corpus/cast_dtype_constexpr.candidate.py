import torch
import torch.nn as nn
import triton
import triton.language as tl

TORCH_TO_TL = {
    torch.float32: tl.float32,
    torch.float16: tl.float16,
    torch.bfloat16: tl.bfloat16,
    torch.float64: tl.float64,
}


@triton.jit
def softplus_cast(x_ptr, y_ptr, n, ACC: tl.constexpr, OUT: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m, other=0.0).to(ACC)
    y = tl.maximum(x, 0.0) + tl.log(1.0 + tl.exp(-tl.abs(x)))
    tl.store(y_ptr + i, y.to(OUT), mask=m)


class ModelNew(nn.Module):
    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype
        self.tl_dtype = TORCH_TO_TL[dtype]

    def forward(self, x):
        y = torch.empty_like(x, dtype=self.dtype)
        n = x.numel()
        softplus_cast[(triton.cdiv(n, 1024),)](x, y, n, ACC=tl.float32, OUT=self.tl_dtype, BLOCK=1024)
        return y
