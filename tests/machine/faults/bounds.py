"""Accesses outside of every tensor."""
import numpy as np
import triton
import triton.language as tl

from .fault import fault


@triton.jit
def off_by_one_mask(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i <= n
    x = tl.load(x_ptr + i, mask=mask)  # fault
    tl.store(out_ptr + i, x, mask=i < n)


@fault("bounds/off_by_one_mask", "out_of_bounds", "reads 0 bytes past the end of storage 0: element 100 of 100")
def off_by_one_mask_fault(make):
    make.launch(off_by_one_mask, 2, make.normal(100), make.output(100), 100, BLOCK=64)


@triton.jit
def missing_mask_on_load(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)  # fault
    tl.store(out_ptr + i, x, mask=i < n)


@fault("bounds/missing_mask_on_load", "out_of_bounds", "reads 0 bytes past the end of storage 0")
def missing_mask_on_load_fault(make):
    make.launch(missing_mask_on_load, 2, make.normal(100), make.output(100), 100, BLOCK=64)


@triton.jit
def missing_mask_on_store(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, x * 2)  # fault


@fault("bounds/missing_mask_on_store", "out_of_bounds", "writes 0 bytes past the end of storage 1")
def missing_mask_on_store_fault(make):
    make.launch(missing_mask_on_store, 2, make.normal(100), make.output(100), 100, BLOCK=64)


@triton.jit
def wrong_row_stride(x_ptr, out_ptr, rows, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * (cols + 1) + c, mask=c < cols)  # fault
    tl.store(out_ptr + row * cols + c, x, mask=c < cols)


@fault("bounds/wrong_row_stride", "out_of_bounds", "past the end of storage 0")
def wrong_row_stride_fault(make):
    make.launch(wrong_row_stride, 10, make.normal(10, 30), make.output(10, 30), 10, 30, BLOCK=32)


@triton.jit
def swapped_strides(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)[:, None]
    c = tl.arange(0, C)[None, :]
    mask = (r < rows) & (c < cols)
    x = tl.load(x_ptr + r * 1 + c * cols, mask=mask)  # fault
    tl.store(out_ptr + r * cols + c, x, mask=mask)


@fault("bounds/swapped_strides", "out_of_bounds", "past the end of storage 0")
def swapped_strides_fault(make):
    make.launch(swapped_strides, 1, make.normal(10, 30), make.output(10, 30), 10, 30, R=16, C=32)


@triton.jit
def mask_of_wrong_dimension(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)[:, None]
    c = tl.arange(0, C)[None, :]
    x = tl.load(x_ptr + r * cols + c, mask=(r < cols) & (c < cols), other=0.0)  # fault
    tl.store(out_ptr + r * cols + c, x, mask=(r < rows) & (c < cols))


@fault("bounds/mask_of_wrong_dimension", "out_of_bounds", "past the end of storage 0")
def mask_of_wrong_dimension_fault(make):
    make.launch(mask_of_wrong_dimension, 1, make.normal(10, 30), make.output(10, 30), 10, 30, R=16, C=32)


@triton.jit
def mask_without_rows(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)[:, None]
    c = tl.arange(0, C)[None, :]
    x = tl.load(x_ptr + r * cols + c, mask=(r < rows) & (c < cols))
    tl.store(out_ptr + r * cols + c, x, mask=(c < cols) & (r >= 0))  # fault


@fault("bounds/store_mask_without_rows", "out_of_bounds", "writes 0 bytes past the end of storage 1: element 300 of 300")
def mask_without_rows_fault(make):
    make.launch(mask_without_rows, 3, make.normal(10, 30), make.output(10, 30), 10, 30, R=4, C=32)


@triton.jit
def negative_index(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x_ptr + i - 1, mask=i < n)  # fault
    tl.store(out_ptr + i, left, mask=i < n)


@fault("bounds/negative_index", "out_of_bounds", "reads 4 bytes before the start of storage 0")
def negative_index_fault(make):
    make.launch(negative_index, 2, make.normal(100), make.output(100), 100, BLOCK=64)


@triton.jit
def neighbour_past_the_end(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    here = tl.load(x_ptr + i, mask=i < n)
    right = tl.load(x_ptr + i + 1, mask=i < n)  # fault
    tl.store(out_ptr + i, right - here, mask=i < n)


@fault("bounds/neighbour_past_the_end", "out_of_bounds", "element 100 of 100")
def neighbour_fault(make):
    make.launch(neighbour_past_the_end, 2, make.normal(100), make.output(100), 100, BLOCK=64)


@triton.jit
def offsets_overflow_int32(x_ptr, out_ptr, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + (row * stride + c) % 4096, mask=c < BLOCK)
    tl.store(out_ptr + row * stride + c, x)  # fault


@fault("bounds/offsets_overflow_int32", "out_of_bounds", "a pointer that belongs to no tensor")
def overflow_fault(make):
    # the second row is at 2^31 elements: as int32 that is negative
    make.launch(offsets_overflow_int32, 4, make.normal(4096), make.output(64), 1 << 30, BLOCK=32)


@triton.jit
def one_iteration_too_many(a_ptr, b_ptr, c_ptr, K, S: tl.constexpr, BK: tl.constexpr):
    i = tl.arange(0, S)
    acc = tl.zeros((S, S), tl.float32)
    for k in range(0, K // BK + 1):
        rk = k * BK + tl.arange(0, BK)
        a = tl.load(a_ptr + i[:, None] * K + rk[None, :])
        b = tl.load(b_ptr + rk[:, None] * S + i[None, :])  # fault
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + i[:, None] * S + i[None, :], acc)


@fault("bounds/one_iteration_too_many", "out_of_bounds", "past the end of storage 1")
def one_iteration_fault(make):
    # the rows of `a` are read beyond their end too, but that stays inside of it for all but the last row: make it larger
    make.launch(one_iteration_too_many, 1, make.normal(17, 64), make.normal(64, 16), make.output(16, 16), 64, S=16, BK=32)


@triton.jit
def matmul_masks_swapped(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm, rn, rk = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
    b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < N) & (rn[None, :] < K), other=0.0)  # fault
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], tl.dot(a, b), mask=(rm[:, None] < M) & (rn[None, :] < N))


@fault("bounds/matmul_masks_swapped", "out_of_bounds", "past the end of storage 1")
def matmul_masks_fault(make):
    make.launch(matmul_masks_swapped, 1, make.normal(16, 20), make.normal(20, 30), make.output(16, 30), 16, 30, 20, BM=16, BN=32, BK=32)


@triton.jit
def grid_larger_than_rows(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(1)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=0.0)  # fault
    tl.store(out_ptr + row, tl.sum(x, 0))


@fault("bounds/grid_larger_than_rows", "out_of_bounds", "past the end of storage 0")
def grid_fault(make):
    make.launch(grid_larger_than_rows, (1, 8), make.normal(7, 20), make.output(7), 20, BLOCK=32)


@triton.jit
def index_from_memory(x_ptr, index_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.load(index_ptr + i, mask=i < n, other=0)
    tl.store(out_ptr + i, tl.load(x_ptr + at, mask=i < n), mask=i < n)  # fault


@fault("bounds/index_from_memory", "out_of_bounds", "element 50 of 50")
def index_fault(make):
    index = make.integers(40, high=50)
    index.raw[17] = 50
    make.launch(index_from_memory, 1, make.normal(50), index, make.output(40), 40, BLOCK=64)


@triton.jit
def bin_beyond_the_histogram(x_ptr, counts_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    b = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.atomic_add(counts_ptr + b, 1, mask=i < n)  # fault


@fault("bounds/atomic_beyond_the_histogram", "out_of_bounds", "past the end of storage 1")
def histogram_fault(make):
    make.launch(bin_beyond_the_histogram, 2, make.array(np.full(100, 10), "int32"), make.zeros(10, dtype="int32"), 100, BLOCK=64)


@triton.jit
def bytes_for_elements(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i * 4, mask=i < n)  # fault
    tl.store(out_ptr + i, x, mask=i < n)


@fault("bounds/bytes_for_elements", "out_of_bounds", "past the end of storage 0")
def bytes_fault(make):
    make.launch(bytes_for_elements, 1, make.normal(60), make.output(60), 60, BLOCK=64)


@triton.jit
def conv_without_padding_check(x_ptr, w_ptr, out_ptr, n, K: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for k in tl.static_range(K):
        at = i + k - K // 2
        acc += tl.load(x_ptr + at, mask=at < n, other=0.0) * tl.load(w_ptr + k)  # fault
    tl.store(out_ptr + i, acc, mask=i < n)


@fault("bounds/conv_without_padding_check", "out_of_bounds", "reads 8 bytes before the start of storage 0")
def conv_fault(make):
    make.launch(conv_without_padding_check, 2, make.normal(100), make.normal(5), make.output(100), 100, K=5, BLOCK=64)


@triton.jit
def pointer_of_another_tensor(x_ptr, bias_ptr, out_ptr, n, cols, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    bias = tl.load(bias_ptr + i, mask=i < n)  # fault
    tl.store(out_ptr + i, x + bias, mask=i < n)


@fault("bounds/bias_indexed_like_input", "out_of_bounds", "past the end of storage 1: element 20 of 20")
def another_tensor_fault(make):
    make.launch(pointer_of_another_tensor, 2, make.normal(5, 20), make.normal(20), make.output(5, 20), 100, 20, BLOCK=64)


@triton.jit
def fetch(p, i, n):
    return tl.load(p + i, mask=i < n + 7)  # fault


@triton.jit
def fault_in_called_function(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, fetch(x_ptr, i, n) + 1.0, mask=i < n)


@fault("bounds/in_a_called_function", "out_of_bounds", "past the end of storage 0")
def called_fault(make):
    make.launch(fault_in_called_function, 1, make.normal(50), make.output(50), 50, BLOCK=64)


@triton.jit
def deep_tile_mask_forgets_an_axis(x_ptr, out_ptr, A, B, C, TA: tl.constexpr, TB: tl.constexpr, TC: tl.constexpr):
    a = tl.arange(0, TA)[:, None, None]
    b = tl.arange(0, TB)[None, :, None]
    c = tl.arange(0, TC)[None, None, :]
    at = (a * B + b) * C + c
    x = tl.load(x_ptr + at, mask=(b < B) & (c < C) & (a >= 0), other=0.0)  # fault
    tl.store(out_ptr + at, x, mask=(a < A) & (b < B) & (c < C))


@fault("bounds/mask_forgets_an_axis_of_three", "out_of_bounds", "past the end of storage 0")
def deep_tile_fault(make):
    make.launch(deep_tile_mask_forgets_an_axis, 1, make.normal(3, 5, 7), make.output(3, 5, 7), 3, 5, 7, TA=4, TB=8, TC=8)


@triton.jit
def second_launch_doubles_offsets(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i * 2, tl.load(x_ptr + i, mask=i < n), mask=i < n)  # fault


@fault("bounds/in_the_second_launch", "out_of_bounds", "past the end of storage 2")
def second_launch_fault(make):
    x, middle, out = make.normal(100), make.output(200), make.output(120)
    make.launch(second_launch_doubles_offsets, 2, x, middle, 100, BLOCK=64)
    make.launch(second_launch_doubles_offsets, 2, x, out, 100, BLOCK=64)
