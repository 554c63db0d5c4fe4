"""Programs of one launch that touch one place in no order."""
import numpy as np
import triton
import triton.language as tl

from .fault import fault


@triton.jit
def all_write_one_place(x_ptr, out_ptr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    x = tl.load(x_ptr + pid * BLOCK + tl.arange(0, BLOCK))
    tl.store(out_ptr, tl.max(x, 0))  # fault


@fault("races/all_write_one_place", "race", "writes byte 0 of storage 1, which program (0, 0, 0) wrote")
def one_place_fault(make):
    make.launch(all_write_one_place, 4, make.normal(4, 16), make.output(1), BLOCK=16)


@triton.jit
def sum_without_atomic(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0)
    tl.store(out_ptr, tl.load(out_ptr) + total)  # fault


@fault("races/sum_without_atomic", "race", "of storage 1, which program (0, 0, 0)")
def sum_fault(make):
    make.launch(sum_without_atomic, 3, make.normal(100), make.zeros(1), 100, BLOCK=64)


@triton.jit
def stencil_in_place(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x_ptr + i - 1, mask=(i > 0) & (i < n), other=0.0)  # fault
    tl.debug_barrier()
    tl.store(x_ptr + i, left + 1.0, mask=i < n)


@fault("races/stencil_in_place", "race", "nothing orders the two")
def stencil_fault(make):
    make.launch(stencil_in_place, 4, make.normal(100), 100, BLOCK=32)


@triton.jit
def second_grid_axis_ignored(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=0.0)
    tl.store(out_ptr + row * BLOCK + tl.arange(0, BLOCK), x)  # fault


@fault("races/second_grid_axis_ignored", "race", "writes byte")
def axis_fault(make):
    make.launch(second_grid_axis_ignored, (3, 2), make.normal(3, 50), make.output(3, 32), 50, BLOCK=32)


@triton.jit
def split_k_without_atomics(a_ptr, b_ptr, c_ptr, K, S: tl.constexpr, BK: tl.constexpr):
    i = tl.arange(0, S)
    rk = tl.program_id(0) * BK + tl.arange(0, BK)
    a = tl.load(a_ptr + i[:, None] * K + rk[None, :])
    b = tl.load(b_ptr + rk[:, None] * S + i[None, :])
    c = c_ptr + i[:, None] * S + i[None, :]
    tl.store(c, tl.load(c) + tl.dot(a, b))  # fault


@fault("races/split_k_without_atomics", "race", "of storage 2")
def split_k_fault(make):
    make.launch(split_k_without_atomics, 4, make.normal(16, 128), make.normal(128, 16), make.zeros(16, 16), 128, S=16, BK=32)


@triton.jit
def overlapping_blocks(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * (BLOCK // 2) + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x + tl.program_id(0), mask=i < n)  # fault


@fault("races/overlapping_blocks", "race", "wrote: nothing orders the two")
def overlapping_fault(make):
    make.launch(overlapping_blocks, 3, make.normal(100), make.output(100), 100, BLOCK=64)


@triton.jit
def histogram_without_atomics(x_ptr, counts_ptr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    for k in range(BLOCK):
        b = tl.load(x_ptr + pid * BLOCK + k)
        count = tl.load(counts_ptr + b)  # fault
        tl.store(counts_ptr + b, count + 1)


@fault("races/histogram_without_atomics", "race", "of storage 1")
def histogram_fault(make):
    make.launch(histogram_without_atomics, 3, make.integers(3, 20, high=4), make.zeros(4, dtype="int32"), BLOCK=20)


@triton.jit
def transpose_in_place(x_ptr, n, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)[:, None]
    c = tl.program_id(1) * B + tl.arange(0, B)[None, :]
    tile = tl.load(x_ptr + c * n + r)  # fault
    tl.store(x_ptr + r * n + c, tile)


@fault("races/transpose_in_place", "race", "reads byte")
def transpose_fault(make):
    make.launch(transpose_in_place, (2, 2), make.normal(32, 32), 32, B=16)


@triton.jit
def lanes_share_a_place(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i // 2, x, mask=i < n)  # fault


@fault("races/lanes_share_a_place", "race", "with one store")
def lanes_fault(make):
    make.launch(lanes_share_a_place, 1, make.normal(64), make.output(32), 64, BLOCK=64)


@triton.jit
def scatter_with_duplicates(x_ptr, place_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    to = tl.load(place_ptr + row)
    c = tl.arange(0, BLOCK)
    tl.store(out_ptr + to * cols + c, tl.load(x_ptr + row * cols + c, mask=c < cols), mask=c < cols)  # fault


@fault("races/scatter_with_duplicates", "race", "which program (1, 0, 0) wrote")
def scatter_fault(make):
    make.launch(scatter_with_duplicates, 4, make.normal(4, 20), make.array(np.int32([0, 2, 1, 2])), make.output(3, 20), 20, BLOCK=32)


@triton.jit
def reads_partials_at_once(x_ptr, partial_ptr, out_ptr, n, PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(partial_ptr + pid, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0))
    tl.debug_barrier()
    if pid == PROGRAMS - 1:
        partials = tl.load(partial_ptr + tl.arange(0, PROGRAMS))  # fault
        tl.store(out_ptr, tl.sum(partials, 0))


@fault("races/last_program_does_not_wait", "race", "reads byte 0 of storage 1, which program (0, 0, 0) wrote")
def partials_fault(make):
    make.launch(reads_partials_at_once, 4, make.normal(200), make.output(4), make.output(1), 200, PROGRAMS=4, BLOCK=64)


@triton.jit
def counter_without_atomic(x_ptr, partial_ptr, count_ptr, out_ptr, PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(partial_ptr + pid, tl.sum(tl.load(x_ptr + pid * BLOCK + tl.arange(0, BLOCK)), 0))
    arrived = tl.load(count_ptr)  # fault
    tl.store(count_ptr, arrived + 1)


@fault("races/counter_without_atomic", "race", "of storage 2")
def counter_fault(make):
    x, partial, count, out = make.normal(4, 16), make.output(4), make.zeros(1, dtype="int32"), make.output(1)
    make.launch(counter_without_atomic, 4, x, partial, count, out, PROGRAMS=4, BLOCK=16)


@triton.jit
def atomic_beside_plain_store(x_ptr, out_ptr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    total = tl.sum(tl.load(x_ptr + pid * BLOCK + tl.arange(0, BLOCK)), 0)
    if pid == 0:
        tl.store(out_ptr, 0.0)
    tl.atomic_add(out_ptr, total, sem="relaxed")  # fault


@fault("races/cleared_by_one_program", "race", "without an atomic")
def atomic_beside_fault(make):
    make.launch(atomic_beside_plain_store, 3, make.normal(3, 16), make.full(1, value=5.0), BLOCK=16)
