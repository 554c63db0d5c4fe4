"""Forms of loads, stores, ranges and reductions that the other families do not use."""
import numpy as np
import triton
import triton.language as tl

from .case import case
from .matmul import product


@triton.jit
def scalars_with_masks(x_ptr, out_ptr, n):
    pid = tl.program_id(0)
    x = tl.load(x_ptr + pid, mask=pid < n, other=-1.0)
    tl.store(out_ptr + pid, x + 1, mask=pid % 2 == 0)


@case("accesses/scalars_with_masks")
def scalars_case(make):
    x, out = make.normal(5), make.full(8, value=9.0)
    make.launch(scalars_with_masks, 8, x, out, 5)
    padded = np.concatenate([x.values, np.full(3, -1)]) + 1
    make.expect(out, np.where(np.arange(8) % 2 == 0, padded, 9))


@triton.jit
def other_is_a_block(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    y = tl.load(y_ptr + i, volatile=True)
    x = tl.load(x_ptr + i, mask=(i < n) & (i % 3 != 0), other=-y)
    tl.store(out_ptr + i, x)


@case("accesses/other_is_a_block")
def other_case(make):
    x, y, out = make.normal(40), make.normal(64), make.output(64)
    make.launch(other_is_a_block, 1, x, y, out, 40, BLOCK=64)
    i = np.arange(64)
    make.expect(out, np.where((i < 40) & (i % 3 != 0), np.pad(x.values, (0, 24)), -y.values), "exact")


@triton.jit
def ranges_that_start_later(x_ptr, out_ptr):
    i = tl.arange(32, 64)
    tl.store(out_ptr + i - 32, tl.load(x_ptr + i) + i)


@case("accesses/range_that_starts_later")
def later_case(make):
    x, out = make.integers(64), make.output(32, dtype="int32")
    make.launch(ranges_that_start_later, 1, x, out)
    make.expect(out, x.values[32:] + np.arange(32, 64))


@triton.jit
def four_axes(x_ptr, out_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, D: tl.constexpr):
    n: tl.constexpr = A * B * C * D
    x = tl.load(x_ptr + tl.arange(0, n)).reshape(A, B, C, D)
    y = tl.permute(x, (0, 2, 1, 3))
    tl.store(out_ptr + tl.arange(0, n), y.reshape(n))


@case("accesses/permute_of_four_axes")
def four_axes_case(make):
    x, out = make.bits(2, 4, 8, 4), make.output(2, 8, 4, 4, dtype="int32")
    make.launch(four_axes, 1, x, out, A=2, B=4, C=8, D=4)
    make.expect(out, x.values.transpose(0, 2, 1, 3))


@triton.jit
def prints_values(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.device_print("value", x)
    tl.device_print("pid", tl.program_id(0))
    tl.store(out_ptr + i, x * 2, mask=i < n)


@case("accesses/device_print")
def prints_case(make):
    x, out = make.integers(6), make.output(6, dtype="int32")
    make.launch(prints_values, 1, x, out, 6, BLOCK=8)
    make.expect(out, x.values * 2)


@triton.jit
def conditions_of_scalars(x_ptr, out_ptr, n, limit):
    i = 0
    total = 0
    while (i < n) and (total < limit):
        x = tl.load(x_ptr + i)
        if (x > 5) or not (x % 2 == 0):
            total += x
        i += 1
    tl.store(out_ptr, total)
    tl.store(out_ptr + 1, i)


@case("accesses/and_or_not_of_scalars")
def conditions_case(make):
    x, out = make.integers(50, high=12), make.output(2, dtype="int32")
    make.launch(conditions_of_scalars, 1, x, out, 50, 60)
    i = total = 0
    while i < 50 and total < 60:
        v = int(x.values[i])
        total += v if v > 5 or v % 2 else 0
        i += 1
    make.expect(out, [total, i])


@triton.jit
def ties_and_types_of_reductions(x_ptr, out_ptr, sum_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=0)
    best, place = tl.max(x, 0, return_indices=True, return_indices_tie_break_left=True)
    tl.store(out_ptr + row * 2, best.to(tl.int32))
    tl.store(out_ptr + row * 2 + 1, place)
    tl.store(sum_ptr + row, tl.sum(x, 0, dtype=tl.int64))


@case("accesses/reductions_with_dtype_int8")
def ties_case(make):
    x, out, total = make.integers(6, 50, low=1, high=20, dtype="int8"), make.output(6, 2, dtype="int32"), make.output(6, dtype="int64")
    make.launch(ties_and_types_of_reductions, 6, x, out, total, 50, BLOCK=64)
    make.expect(out, np.stack([x.values.max(1), x.values.argmax(1)], 1))
    make.expect(total, x.values.sum(1, dtype=np.int64))


@triton.jit
def sort_each_axis(x_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    x = tl.load(x_ptr + at)
    tl.store(out_ptr + at, tl.trans(tl.sort(tl.trans(tl.sort(x, 1)), 1)))


@case("accesses/sort_rows_then_columns")
def sort_axes_case(make):
    x, out = make.normal(8, 16), make.output(8, 16)
    make.launch(sort_each_axis, 1, x, out, R=8, C=16)
    make.expect(out, np.sort(np.sort(x.values, 1), 0), "exact")


@triton.jit
def dot_by_bfloat16_parts(a_ptr, b_ptr, out_ptr, S: tl.constexpr, PRECISION: tl.constexpr):
    at = tl.arange(0, S)[:, None] * S + tl.arange(0, S)[None, :]
    tl.store(out_ptr + at, tl.dot(tl.load(a_ptr + at), tl.load(b_ptr + at), input_precision=PRECISION))


for _precision, _atol in (("bf16x3", 1e-3), ("bf16x6", 2e-4)):
    @case(f"accesses/dot_{_precision}", no_interpreter="it does not know that precision")
    def bfloat16_parts_case(make, precision=_precision, atol=_atol):
        a, b, out = make.normal(32, 32), make.normal(32, 32), make.output(32, 32)
        make.launch(dot_by_bfloat16_parts, 1, a, b, out, S=32, PRECISION=precision)
        make.expect(out, product(a.values, b.values), rtol=1e-4, atol=atol)


@triton.jit
def masked_column_updates(x_ptr, out_ptr, rows, cols, column, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    tile = tl.load(x_ptr + r * cols + c, mask=(r < rows) & (c < cols), other=0.0)
    chosen = tl.sum(tl.where(c == column, tile, 0.0), 1)  # one column of a tile in registers
    tile = tl.where(c == column + 1, chosen[:, None], tile)
    tl.store(out_ptr + r * cols + c, tile, mask=(r < rows) & (c < cols))


@case("accesses/column_of_a_tile_by_where")
def column_case(make):
    x, out = make.normal(13, 20), make.output(13, 20)
    make.launch(masked_column_updates, 1, x, out, 13, 20, 7, R=16, C=32)
    expected = x.values.copy()
    expected[:, 8] = expected[:, 7]
    make.expect(out, expected, "exact")
