"""Descriptors, block pointers, addresses in a table, views, and gradients."""
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def add_tiles(a_desc, b_desc, out_ptr, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = tl.program_id(0) * ROWS
    out = tl.make_tensor_descriptor(out_ptr, [rows, columns], [columns, 1], [ROWS, COLUMNS])
    out.store([at, 0], a_desc.load([at, 0]) + b_desc.load([at, 0]))


@triton.jit
def transpose(x_ptr, out_ptr, rows, columns, SIZE: tl.constexpr):
    i, j = tl.program_id(0) * SIZE, tl.program_id(1) * SIZE
    source = tl.make_block_ptr(x_ptr, (rows, columns), (columns, 1), (i, j), (SIZE, SIZE), (1, 0))
    target = tl.make_block_ptr(out_ptr, (columns, rows), (rows, 1), (j, i), (SIZE, SIZE), (1, 0))
    tl.store(target, tl.load(source, boundary_check=(0, 1)).T, boundary_check=(0, 1))


@triton.jit
def add_all(table_ptr, out_ptr, count, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for i in range(count):
        total += tl.load(tl.load(table_ptr + i).to(tl.pointer_type(tl.float32)) + offsets, mask=offsets < n, other=0.0)
    tl.store(out_ptr + offsets, total, mask=offsets < n)


class Transposed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.empty(x.shape[1], x.shape[0], device=x.device, dtype=x.dtype)
        transpose[(triton.cdiv(x.shape[0], 16), triton.cdiv(x.shape[1], 16))](x, out, *x.shape, SIZE=16)
        return out

    @staticmethod
    def backward(ctx, grad):
        return Transposed.apply(grad.contiguous())


a, b = torch.rand(40, 32, device="cuda"), torch.rand(40, 32, device="cuda")
out = torch.empty_like(a)
descriptors = [TensorDescriptor.from_tensor(t, [16, 32]) for t in (a, b)]
add_tiles[(3,)](*descriptors, out, 40, 32, ROWS=16, COLUMNS=32)
torch.testing.assert_close(out, a + b)
x = torch.rand(20, 50, device="cuda", requires_grad=True)
y = Transposed.apply(x)
assert torch.equal(y, x.t())
weight = torch.rand_like(y)
(y * weight).sum().backward()
assert torch.equal(x.grad, weight.t())
tensors = [torch.rand(100, device="cuda") for _ in range(3)]
table = torch.tensor([t.data_ptr() for t in tensors], device="cuda")
out = torch.empty(100, device="cuda")
add_all[(1,)](table, out, 3, 100, BLOCK=128)
torch.testing.assert_close(out, sum(tensors))
long = torch.rand(200, device="cuda")
table = torch.tensor([long[7:].data_ptr()], device="cuda")
add_all[(1,)](table, out[:90], 1, 90, BLOCK=128)
assert torch.equal(out[:90], long[7:97])
