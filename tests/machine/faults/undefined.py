"""Reads of memory that nobody wrote."""
import triton
import triton.language as tl

from .fault import fault


@triton.jit
def accumulate_into_empty(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    before = tl.load(out_ptr + i, mask=i < n)  # fault
    tl.store(out_ptr + i, before + tl.load(x_ptr + i, mask=i < n), mask=i < n)


@fault("undefined/accumulates_into_empty", "undefined_read", "reads byte 0 of storage 1, which nothing has written")
def accumulate_fault(make):
    make.launch(accumulate_into_empty, 2, make.normal(100), make.output(100), 100, BLOCK=64)


@triton.jit
def atomic_into_empty(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out_ptr, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0)))  # fault


@fault("undefined/atomic_into_empty", "undefined_read", "which nothing has written")
def atomic_fault(make):
    make.launch(atomic_into_empty, 2, make.normal(100), make.output(1), 100, BLOCK=64)


@triton.jit
def write_even_partials(x_ptr, partial_ptr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    total = tl.sum(tl.load(x_ptr + pid * BLOCK + tl.arange(0, BLOCK)), 0)
    if pid % 2 == 0:
        tl.store(partial_ptr + pid, total)


@triton.jit
def read_all_partials(partial_ptr, out_ptr, N: tl.constexpr):
    p = tl.load(partial_ptr + tl.arange(0, N))  # fault
    tl.store(out_ptr, tl.sum(p, 0))


@fault("undefined/partials_of_half_the_programs", "undefined_read", "reads byte 4 of storage 1")
def partials_fault(make):
    x, partial, out = make.normal(8, 16), make.output(8), make.output(1)
    make.launch(write_even_partials, 8, x, partial, BLOCK=16)
    make.launch(read_all_partials, 1, partial, out, N=8)


@triton.jit
def fill_rows(x_ptr, cols, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(x_ptr + row * stride + c, c.to(tl.float32), mask=c < cols)


@triton.jit
def read_with_padding(x_ptr, out_ptr, stride: tl.constexpr):
    row = tl.program_id(0)
    x = tl.load(x_ptr + row * stride + tl.arange(0, stride))  # fault
    tl.store(out_ptr + row, tl.max(x, 0))


@fault("undefined/padding_columns", "undefined_read", "reads byte 120 of storage 0")
def padding_fault(make):
    x, out = make.output(4, 32), make.output(4)
    make.launch(fill_rows, 4, x, 30, 32, BLOCK=32)
    make.launch(read_with_padding, 4, x, out, stride=32)


@triton.jit
def last_block_left_out(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


@triton.jit
def sum_everything(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    total = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0)  # fault
    tl.store(out_ptr, total)


@fault("undefined/grid_rounded_down", "undefined_read", "reads byte 256 of storage 1")
def rounded_down_fault(make):
    x, middle, out = make.normal(100), make.output(100), make.output(1)
    make.launch(last_block_left_out, 100 // 64, x, middle, 100, BLOCK=64)
    make.launch(sum_everything, 1, middle, out, 100, BLOCK=64)


@triton.jit
def momentum_never_initialised(p_ptr, g_ptr, m_ptr, n, lr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    mask = i < n
    m = 0.9 * tl.load(m_ptr + i, mask=mask) + tl.load(g_ptr + i, mask=mask)  # fault
    tl.store(m_ptr + i, m, mask=mask)
    tl.store(p_ptr + i, tl.load(p_ptr + i, mask=mask) - lr * m, mask=mask)


@fault("undefined/momentum_never_initialised", "undefined_read", "of storage 2, which nothing has written")
def momentum_fault(make):
    make.launch(momentum_never_initialised, 1, make.normal(50), make.normal(50), make.output(50), 50, 0.1, BLOCK=64)
