"""One program a row or column: reductions along an axis."""
import numpy as np
import triton
import triton.language as tl

from .case import case


@triton.jit
def row_sum(x_ptr, out_ptr, stride, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + c, mask=c < cols, other=0.0)
    tl.store(out_ptr + row, tl.sum(x, axis=0))


@case("rows/row_sum")
def row_sum_case(make):
    x, out = make.normal(17, 100), make.output(17)
    make.launch(row_sum, 17, x, out, 100, 100, BLOCK=128)
    make.expect(out, x.values.astype(np.float64).sum(1), "sum")


@case("rows/row_sum_int32_wraps", no_interpreter="it sums without wrapping")
def row_sum_int_case(make):
    x, out = make.bits(5, 100), make.output(5, dtype="int32")
    make.launch(row_sum, 5, x, out, 100, 100, BLOCK=128)
    make.expect(out, x.values.sum(1, dtype=np.int32))


@triton.jit
def row_sum_looped(x_ptr, out_ptr, rows, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + row * cols + c, mask=c < cols, other=0.0).to(tl.float32)
    tl.store(out_ptr + row, tl.sum(acc, 0))


for _dtype in ("float32", "float16"):
    @case(f"rows/row_sum_looped_{_dtype}")
    def row_sum_looped_case(make, dtype=_dtype):
        x, out = make.normal(6, 333, dtype=dtype), make.output(6)
        make.launch(row_sum_looped, 6, x, out, 6, 333, BLOCK=64)
        make.expect(out, x.values.astype(np.float64).sum(1), "sum")


@triton.jit
def column_sums(x_ptr, out_ptr, rows, cols, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    c = tl.program_id(0) * BLOCK_C + tl.arange(0, BLOCK_C)
    acc = tl.zeros((BLOCK_R, BLOCK_C), dtype=tl.float32)
    for r0 in tl.range(0, rows, BLOCK_R):
        r = r0 + tl.arange(0, BLOCK_R)
        mask = (r[:, None] < rows) & (c[None, :] < cols)
        acc += tl.load(x_ptr + r[:, None] * cols + c[None, :], mask=mask, other=0.0)
    tl.store(out_ptr + c, tl.sum(acc, axis=0), mask=c < cols)


@case("rows/column_sums")
def column_sums_case(make):
    x, out = make.normal(45, 70), make.output(70)
    make.launch(column_sums, 3, x, out, 45, 70, BLOCK_R=8, BLOCK_C=32)
    make.expect(out, x.values.astype(np.float64).sum(0), "sum")


@triton.jit
def row_extremes(x_ptr, max_ptr, argmax_ptr, min_ptr, argmin_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)[:, None]
    c = tl.arange(0, C)[None, :]
    mask = (r < rows) & (c < cols)
    at = r * cols + c
    high = tl.load(x_ptr + at, mask=mask, other=-float("inf"))
    low = tl.load(x_ptr + at, mask=mask, other=float("inf"))
    best, where = tl.max(high, axis=1, return_indices=True)
    least, where_least = tl.min(low, axis=1, return_indices=True)
    rows_here = tl.program_id(0) * R + tl.arange(0, R)
    ok = rows_here < rows
    tl.store(max_ptr + rows_here, best, mask=ok)
    tl.store(argmax_ptr + rows_here, where, mask=ok)
    tl.store(min_ptr + rows_here, least, mask=ok)
    tl.store(argmin_ptr + rows_here, where_least, mask=ok)


@case("rows/row_extremes_with_ties")
def row_extremes_case(make):
    x = make.array(make.random.integers(-9, 10, (11, 50)), "float32")
    big, at, small, at_small = make.output(11), make.output(11, dtype="int32"), make.output(11), make.output(11, dtype="int32")
    make.launch(row_extremes, 3, x, big, at, small, at_small, 11, 50, R=4, C=64)
    make.expect(big, x.values.max(1))
    make.expect(at, x.values.argmax(1))
    make.expect(small, x.values.min(1))
    make.expect(at_small, x.values.argmin(1))


@triton.jit
def add_pair(a, b):
    return a + b


@triton.jit
def larger_size(a, b):
    return tl.where(tl.abs(a) >= tl.abs(b), a, b)


@triton.jit
def reduce_with_functions(x_ptr, sum_ptr, size_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=0.0)
    tl.store(sum_ptr + row, tl.reduce(x, 0, add_pair))
    tl.store(size_ptr + row, tl.reduce(x, 0, larger_size))


@case("rows/reduce_with_own_functions")
def reduce_with_case(make):
    x, total, largest = make.normal(8, 60), make.output(8), make.output(8)
    make.launch(reduce_with_functions, 8, x, total, largest, 60, BLOCK=64)
    v = x.values.astype(np.float64)
    make.expect(total, v.sum(1), "sum")
    make.expect(largest, np.take_along_axis(v, np.abs(v).argmax(1)[:, None], 1)[:, 0])


@triton.jit
def welford_combine(mean1, m2_1, n1, mean2, m2_2, n2):
    n = n1 + n2
    delta = mean2 - mean1
    share = tl.where(n == 0.0, 0.0, n2 / tl.maximum(n, 1.0))
    return mean1 + delta * share, m2_1 + m2_2 + delta * delta * n1 * share, n


@triton.jit
def welford_rows(x_ptr, mean_ptr, var_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.arange(0, C)
    mask = (r[:, None] < rows) & (c[None, :] < cols)
    x = tl.load(x_ptr + r[:, None] * cols + c[None, :], mask=mask, other=0.0)
    mean, m2, n = tl.reduce((x, tl.zeros_like(x), mask.to(tl.float32)), 1, welford_combine)
    tl.store(mean_ptr + r, mean, mask=r < rows)
    tl.store(var_ptr + r, m2 / n, mask=r < rows)


@case("rows/welford_of_three_operands")
def welford_case(make):
    x, mean, var = make.normal(6, 100, shift=3), make.output(6), make.output(6)
    make.launch(welford_rows, 2, x, mean, var, 6, 100, R=4, C=128)
    make.expect(mean, x.values.astype(np.float64).mean(1), "sum")
    make.expect(var, x.values.astype(np.float64).var(1), "sum")


@triton.jit
def keep_dims_centre(x_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    x = tl.load(x_ptr + at)
    by_row = tl.sum(x, axis=1, keep_dims=True) / C
    by_column = tl.sum(x, axis=0, keep_dims=True) / R
    tl.store(out_ptr + at, x - by_row - by_column + tl.sum(x) / (R * C))


@case("rows/keep_dims_double_centring")
def keep_dims_case(make):
    x, out = make.normal(16, 32), make.output(16, 32)
    make.launch(keep_dims_centre, 1, x, out, R=16, C=32)
    v = x.values.astype(np.float64)
    make.expect(out, v - v.mean(1, keepdims=True) - v.mean(0) + v.mean(), "sum")


@triton.jit
def reduce_three_axes(x_ptr, s0_ptr, s1_ptr, s2_ptr, all_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a = tl.arange(0, A)
    b = tl.arange(0, B)
    c = tl.arange(0, C)
    x = tl.load(x_ptr + a[:, None, None] * (B * C) + b[None, :, None] * C + c[None, None, :])
    tl.store(s0_ptr + b[:, None] * C + c[None, :], tl.sum(x, 0))
    tl.store(s1_ptr + a[:, None] * C + c[None, :], tl.max(x, 1))
    tl.store(s2_ptr + a[:, None] * B + b[None, :], tl.min(x, 2))
    tl.store(all_ptr, tl.sum(tl.sum(tl.sum(x, 2), 1), 0))


@case("rows/reduce_each_of_three_axes")
def reduce_three_case(make):
    x, s0, s1, s2, total = make.normal(4, 8, 16), make.output(8, 16), make.output(4, 16), make.output(4, 8), make.output(1)
    make.launch(reduce_three_axes, 1, x, s0, s1, s2, total, A=4, B=8, C=16)
    v = x.values.astype(np.float64)
    make.expect(s0, v.sum(0))
    make.expect(s1, v.max(1))
    make.expect(s2, v.min(2))
    make.expect(total, v.sum(), "sum")


@triton.jit
def arg_extremes_ties_right(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=0)
    big = tl.where(c < cols, x, -1000)
    small = tl.where(c < cols, x, 1000)
    tl.store(out_ptr + row * 2, tl.argmax(big, 0, tie_break_left=True))
    tl.store(out_ptr + row * 2 + 1, tl.argmin(small, 0))


@case("rows/argmax_argmin_int32")
def arg_extremes_case(make):
    x, out = make.integers(9, 33, low=-20, high=20), make.output(9, 2, dtype="int32")
    make.launch(arg_extremes_ties_right, 9, x, out, 33, BLOCK=64)
    make.expect(out, np.stack([x.values.argmax(1), x.values.argmin(1)], 1))


@triton.jit
def two_pass_partial(x_ptr, partial_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(partial_ptr + pid, tl.max(tl.load(x_ptr + i, mask=i < n, other=-float("inf")), 0))


@triton.jit
def two_pass_final(partial_ptr, out_ptr, count, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr, tl.max(tl.load(partial_ptr + i, mask=i < count, other=-float("inf"))))


@case("rows/two_pass_maximum")
def two_pass_case(make):
    x, partial, out = make.normal(2000), make.output(16), make.output(1)
    make.launch(two_pass_partial, 16, x, partial, 2000, BLOCK=128)
    make.launch(two_pass_final, 1, partial, out, 16, BLOCK=16)
    make.expect(out, x.values.max())


@triton.jit
def norms_of_rows(x_ptr, l1_ptr, l2_ptr, linf_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=0.0)
    tl.store(l1_ptr + row, tl.sum(tl.abs(x)))
    tl.store(l2_ptr + row, tl.sqrt(tl.sum(x * x)))
    tl.store(linf_ptr + row, tl.max(tl.abs(x)))


@case("rows/vector_norms")
def norms_of_rows_case(make):
    x, l1, l2, linf = make.normal(7, 90), make.output(7), make.output(7), make.output(7)
    make.launch(norms_of_rows, 7, x, l1, l2, linf, 90, BLOCK=128)
    v = x.values.astype(np.float64)
    make.expect(l1, np.abs(v).sum(1), "sum")
    make.expect(l2, np.sqrt((v * v).sum(1)), "sum")
    make.expect(linf, np.abs(v).max(1))


@triton.jit
def xor_all(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(out_ptr + row, tl.xor_sum(tl.load(x_ptr + row * cols + c, mask=c < cols, other=0), 0))


@case("rows/xor_sum")
def xor_case(make):
    x, out = make.bits(5, 50), make.output(5, dtype="int32")
    make.launch(xor_all, 5, x, out, 50, BLOCK=64)
    make.expect(out, np.bitwise_xor.reduce(x.values, 1))


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def product_rows(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=1.0)
    tl.store(out_ptr + row, tl.reduce(x, axis=0, combine_fn=multiply))


for _dtype in ("float32", "float64"):
    @case(f"rows/product_{_dtype}")
    def product_rows_case(make, dtype=_dtype):
        x, out = make.uniform(6, 40, low=0.8, high=1.25, dtype=dtype), make.output(6, dtype=dtype)
        make.launch(product_rows, 6, x, out, 40, BLOCK=64)
        make.expect(out, x.values.astype(np.float64).prod(1), "sum")


@triton.jit
def any_and_all(x_ptr, any_ptr, all_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    positive = tl.load(x_ptr + row * cols + c, mask=c < cols, other=1.0) > 0
    tl.store(any_ptr + row, tl.max((positive & (c < cols)).to(tl.int32), 0))
    tl.store(all_ptr + row, tl.min(positive.to(tl.int32), 0))


@case("rows/any_and_all")
def any_and_all_case(make):
    values = make.random.standard_normal((6, 20))
    values[1], values[4] = np.abs(values[1]), -np.abs(values[4])
    x, some, every = make.array(values, "float32"), make.output(6, dtype="int32"), make.output(6, dtype="int32")
    make.launch(any_and_all, 6, x, some, every, 20, BLOCK=32)
    make.expect(some, (x.values > 0).any(1))
    make.expect(every, (x.values > 0).all(1))


@triton.jit
def mean_and_variance_half(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < cols
    x = tl.load(x_ptr + row * cols + c, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(x, 0) / cols
    centred = tl.where(mask, x - mean, 0.0)
    variance = tl.sum(centred * centred, 0) / (cols - 1)
    tl.store(out_ptr + row * 2, mean.to(tl.float16))
    tl.store(out_ptr + row * 2 + 1, variance.to(tl.float16))


@case("rows/mean_and_variance_float16")
def mean_and_variance_case(make):
    x, out = make.normal(5, 120, dtype="float16"), make.output(5, 2, dtype="float16")
    make.launch(mean_and_variance_half, 5, x, out, 120, BLOCK=128)
    v = x.values.astype(np.float64)
    make.expect(out, np.stack([v.mean(1), v.var(1, ddof=1)], 1), "sum")


@triton.jit
def sums_of_narrow_integers(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=0)
    tl.store(out_ptr + row, tl.sum(x, 0))


for _dtype in ("int8", "int16", "uint8", "int64"):
    @case(f"rows/sum_{_dtype}")
    def sums_of_narrow_case(make, dtype=_dtype):
        x, out = make.integers(4, 100, low=0 if dtype[0] == "u" else -100, high=100, dtype=dtype), make.output(4, dtype="int64")
        make.launch(sums_of_narrow_integers, 4, x, out, 100, BLOCK=128)
        make.expect(out, x.values.sum(1, dtype=np.int64))
