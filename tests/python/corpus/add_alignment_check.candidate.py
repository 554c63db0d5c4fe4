import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_aligned(a_ptr, b_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    i = tl.max_contiguous(tl.multiple_of(i, BLOCK), BLOCK)
    m = i < n
    tl.store(y_ptr + i, tl.load(a_ptr + i, mask=m) + tl.load(b_ptr + i, mask=m), mask=m)


@triton.jit
def add_unaligned(a_ptr, b_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(y_ptr + i, tl.load(a_ptr + i, mask=m) + tl.load(b_ptr + i, mask=m), mask=m)


def is_aligned(t: torch.Tensor, to: int = 16) -> bool:
    return t.data_ptr() % to == 0


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        a, b = x[:-1], x[1:]  # b starts four bytes later: not a multiple of 16
        y = torch.empty(a.shape, device=x.device, dtype=x.dtype)
        assert y.data_ptr() % 16 == 0
        kernel = add_aligned if is_aligned(a) and is_aligned(b) else add_unaligned
        kernel[(triton.cdiv(y.numel(), 2048),)](a, b, y, y.numel(), BLOCK=2048)
        return y
