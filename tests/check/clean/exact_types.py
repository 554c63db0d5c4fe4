"""Narrow types round as on the GPU: once an operation, to nearest even."""
import torch
import triton
import triton.language as tl


@triton.jit
def arithmetic(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    y = tl.load(y_ptr + at)
    tl.store(out_ptr + at, x * y + x)


@triton.jit
def product(a_ptr, b_ptr, out_ptr, SIZE: tl.constexpr):
    rows, columns = tl.arange(0, SIZE)[:, None], tl.arange(0, SIZE)[None, :]
    a = tl.load(a_ptr + rows * SIZE + columns)
    b = tl.load(b_ptr + rows * SIZE + columns)
    tl.store(out_ptr + rows * SIZE + columns, tl.dot(a, b).to(a.dtype))


for dtype in (torch.bfloat16, torch.float16):
    x = torch.randn(512, device="cuda").to(dtype)
    y = torch.randn(512, device="cuda").to(dtype)
    out = torch.empty_like(x)
    arithmetic[(1,)](x, y, out, BLOCK=512)
    assert torch.equal(out, x * y + x)
    a = torch.randint(-8, 8, (32, 32), device="cuda").to(dtype)
    b = torch.randint(-8, 8, (32, 32), device="cuda").to(dtype)
    out = torch.empty_like(a)
    product[(1,)](a, b, out, SIZE=32)
    assert torch.equal(out, a @ b)
