"""Functions of tl.math over their ranges, with special values."""
import math

import numpy as np
import triton
import triton.language as tl

from .case import case

_SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan]


@triton.jit
def exponentials(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, tl.exp(x), mask=i < n)
    tl.store(out_ptr + n + i, tl.exp2(x), mask=i < n)
    tl.store(out_ptr + 2 * n + i, tl.sigmoid(x), mask=i < n)


for _dtype in ("float32", "float64"):
    @case(f"math_functions/exponentials_{_dtype}")
    def exponentials_case(make, dtype=_dtype):
        x = make.array(np.concatenate([make.random.uniform(-20, 20, 120), _SPECIAL]), dtype)
        out = make.output(3, 128, dtype=dtype)
        make.launch(exponentials, 2, x, out, 128, BLOCK=64)
        with np.errstate(over="ignore"):
            v = x.values.astype(np.float64)
            make.expect(out, np.stack([np.exp(v), np.exp2(v), 1 / (1 + np.exp(-v))]), rtol=1e-5 if dtype == "float32" else 1e-12)


@triton.jit
def logarithms(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0)
    tl.store(out_ptr + i, tl.log(x), mask=i < n)
    tl.store(out_ptr + n + i, tl.log2(x), mask=i < n)


for _dtype in ("float32", "float64"):
    @case(f"math_functions/logarithms_{_dtype}")
    def logarithms_case(make, dtype=_dtype):
        x = make.array(np.concatenate([np.exp(make.random.uniform(-20, 20, 120)), _SPECIAL]), dtype)
        out = make.output(2, 128, dtype=dtype)
        make.launch(logarithms, 2, x, out, 128, BLOCK=64)
        with np.errstate(divide="ignore", invalid="ignore"):
            v = x.values.astype(np.float64)
            make.expect(out, np.stack([np.log(v), np.log2(v)]))


@triton.jit
def roots(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0)
    tl.store(out_ptr + i, tl.sqrt(x), mask=i < n)
    tl.store(out_ptr + n + i, tl.rsqrt(x), mask=i < n)
    tl.store(out_ptr + 2 * n + i, tl.sqrt_rn(x), mask=i < n)


@case("math_functions/roots")
def roots_case(make):
    x = make.array(np.concatenate([np.exp(make.random.uniform(-10, 10, 120)), [0.0, 1.0, 4.0, np.inf, -1.0, np.nan, 0.25, 2.0]]), "float32")
    out = make.output(3, 128)
    make.launch(roots, 2, x, out, 128, BLOCK=64)
    with np.errstate(divide="ignore", invalid="ignore"):
        v = x.values.astype(np.float64)
        make.expect(out, np.stack([np.sqrt(v), 1 / np.sqrt(v), np.sqrt(v)]))


@triton.jit
def trigonometry(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, tl.sin(x), mask=i < n)
    tl.store(out_ptr + n + i, tl.cos(x), mask=i < n)


for _dtype in ("float32", "float64"):
    @case(f"math_functions/trigonometry_{_dtype}")
    def trigonometry_case(make, dtype=_dtype):
        x = make.array(np.concatenate([make.random.uniform(-10, 10, 120), _SPECIAL]), dtype)
        out = make.output(2, 128, dtype=dtype)
        make.launch(trigonometry, 2, x, out, 128, BLOCK=64)
        with np.errstate(invalid="ignore"):
            v = x.values.astype(np.float64)
            make.expect(out, np.stack([np.sin(v), np.cos(v)]))


@triton.jit
def rounding(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, tl.floor(x), mask=i < n)
    tl.store(out_ptr + n + i, tl.ceil(x), mask=i < n)
    tl.store(out_ptr + 2 * n + i, tl.abs(x), mask=i < n)
    tl.store(out_ptr + 3 * n + i, -x, mask=i < n)


@case("math_functions/rounding_and_sign")
def rounding_case(make):
    x = make.array(np.concatenate([make.random.uniform(-9, 9, 112), [2.5, -2.5, 1e9, -1e9, 0.49999997, -0.4, 7.0, -7.0], _SPECIAL]), "float32")
    out = make.output(4, 128)
    make.launch(rounding, 2, x, out, 128, BLOCK=64)
    v = x.values
    make.expect(out, np.stack([np.floor(v), np.ceil(v), np.abs(v), -v]), "exact")


@triton.jit
def divisions(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.load(y_ptr + i, mask=i < n, other=1.0)
    tl.store(out_ptr + i, x / y, mask=i < n)
    tl.store(out_ptr + n + i, tl.fdiv(x, y), mask=i < n)
    tl.store(out_ptr + 2 * n + i, tl.div_rn(x, y), mask=i < n)
    tl.store(out_ptr + 3 * n + i, x % y, mask=i < n)


@case("math_functions/divisions")
def divisions_case(make):
    x, y, out = make.normal(128, scale=10), make.uniform(128, low=0.5, high=4), make.output(4, 128)
    y.raw[::2] *= -1
    make.launch(divisions, 2, x, y, out, 128, BLOCK=64)
    q = x.values.astype(np.float64) / y.values
    make.expect(out, np.stack([q, q, q, np.fmod(x.values, y.values)]))


@triton.jit
def error_function(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.erf(tl.load(x_ptr + i, mask=i < n, other=0.0)), mask=i < n)


for _dtype in ("float32", "float64"):
    @case(f"math_functions/erf_{_dtype}")
    def erf_case(make, dtype=_dtype):
        x = make.array(np.concatenate([make.random.uniform(-4, 4, 120), _SPECIAL]), dtype)
        out = make.output(128, dtype=dtype)
        make.launch(error_function, 2, x, out, 128, BLOCK=64)
        make.expect(out, [math.erf(v) for v in x.values.astype(np.float64)])


@triton.jit
def extremes_with_nan(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.load(y_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, tl.maximum(x, y), mask=i < n)
    tl.store(out_ptr + n + i, tl.minimum(x, y), mask=i < n)
    tl.store(out_ptr + 2 * n + i, tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL), mask=i < n)
    tl.store(out_ptr + 3 * n + i, tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL), mask=i < n)
    tl.store(out_ptr + 4 * n + i, tl.clamp(x, -0.5, 0.75), mask=i < n)
    tl.store(out_ptr + 5 * n + i, tl.clamp(x, -0.5, 0.75, propagate_nan=tl.PropagateNan.ALL), mask=i < n)
    tl.store(out_ptr + 6 * n + i, tl.clamp(x, -0.5, 0.5), mask=i < n)  # one instruction on the GPU, which makes 0.5 of a NaN


for _dtype in ("float32", "float16"):
    @case(f"math_functions/extremes_with_nan_{_dtype}", no_interpreter="it ignores propagate_nan")
    def nan_case(make, dtype=_dtype):
        def some():
            return make.array(np.where(make.random.uniform(size=90) < 0.2, np.nan, make.random.standard_normal(90)), dtype)
        x, y, out = some(), some(), make.output(7, 90, dtype=dtype)
        make.launch(extremes_with_nan, 1, x, y, out, 90, BLOCK=128)
        a, b = x.values, y.values
        make.expect(out, np.stack([np.fmax(a, b), np.fmin(a, b), np.maximum(a, b), np.minimum(a, b),
                                   np.fmin(np.fmax(a, -0.5), 0.75), np.clip(a, -0.5, 0.75),
                                   np.where(np.isnan(a), 0.5, np.clip(a, -0.5, 0.5))]), "exact")


@triton.jit
def half_precision_chain(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = x * x + x
    y = y - x * 0.5
    tl.store(out_ptr + i, y, mask=i < n)


for _dtype in ("float16", "bfloat16"):
    @case(f"math_functions/arithmetic_stays_{_dtype}", no_interpreter="it has no bfloat16 arithmetic" if _dtype == "bfloat16" else "")
    def half_case(make, dtype=_dtype):
        x, out = make.normal(200, dtype=dtype), make.output(200, dtype=dtype)
        make.launch(half_precision_chain, 1, x, out, 200, BLOCK=256)
        v = x.values.astype(np.float64)
        make.expect(out, v * v + 0.5 * v)


@triton.jit
def doubles_all_along(x_ptr, out_ptr, n, alpha, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.exp(-x * x) * alpha + tl.cos(x) / (1.0 + x * x)
    tl.store(out_ptr + i, tl.sqrt(tl.abs(y)), mask=i < n)


@case("math_functions/float64_chain")
def doubles_case(make):
    x, out = make.normal(100, dtype="float64"), make.output(100, dtype="float64")
    make.launch(doubles_all_along, 1, x, out, 100, 0.5, BLOCK=128)
    v = x.values
    make.expect(out, np.sqrt(np.abs(np.exp(-v * v) * 0.5 + np.cos(v) / (1 + v * v))))


@triton.jit
def infinities_and_nans(out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    zero = (i * 0).to(tl.float32)
    tl.store(out_ptr + i, zero + float("inf"), mask=i < n)
    tl.store(out_ptr + n + i, zero - float("inf"), mask=i < n)
    tl.store(out_ptr + 2 * n + i, tl.full((BLOCK,), float("nan"), tl.float32), mask=i < n)
    tl.store(out_ptr + 3 * n + i, tl.where(i % 2 == 0, float("inf"), -1.5), mask=i < n)


@case("math_functions/constants_inf_and_nan")
def infinities_case(make):
    out = make.output(4, 20)
    make.launch(infinities_and_nans, 1, out, 20, BLOCK=32)
    even = np.where(np.arange(20) % 2 == 0, np.inf, -1.5)
    make.expect(out, np.stack([np.full(20, np.inf), np.full(20, -np.inf), np.full(20, np.nan), even]), "exact")


@triton.jit
def mandelbrot(out_ptr, width, limit, BLOCK: tl.constexpr):
    y = tl.program_id(0)
    x = tl.arange(0, BLOCK)
    cr = x.to(tl.float32) * 0.046875 - 2.0
    ci = y.to(tl.float32) * 0.125 - 1.0
    zr = tl.zeros((BLOCK,), tl.float32)
    zi = tl.zeros((BLOCK,), tl.float32)
    count = tl.zeros((BLOCK,), tl.int32)
    for _ in range(limit):
        inside = zr * zr + zi * zi < 4.0
        r = zr * zr - zi * zi + cr
        zi = tl.where(inside, 2.0 * zr * zi + ci, zi)
        zr = tl.where(inside, r, zr)
        count += inside.to(tl.int32)
    tl.store(out_ptr + y * width + x, count, mask=x < width)


@case("math_functions/mandelbrot_of_few_steps")
def mandelbrot_case(make):
    out = make.output(17, 60, dtype="int32")
    make.launch(mandelbrot, 17, out, 60, 6, BLOCK=64)
    c = (np.arange(60) * 0.046875 - 2.0) + 1j * (np.arange(17) * 0.125 - 1.0)[:, None]
    z, count = np.zeros_like(c), np.zeros(c.shape, np.int32)
    for _ in range(6):
        inside = np.abs(z) ** 2 < 4
        z = np.where(inside, z * z + c, z)
        count += inside
    make.expect(out, count)


@triton.jit
def pairwise_distances(a_ptr, b_ptr, out_ptr, n, m, D: tl.constexpr, BN: tl.constexpr, BM: tl.constexpr):
    i = tl.program_id(0) * BN + tl.arange(0, BN)
    j = tl.program_id(1) * BM + tl.arange(0, BM)
    total = tl.zeros((BN, BM), tl.float32)
    for d in tl.static_range(D):
        a = tl.load(a_ptr + i * D + d, mask=i < n, other=0.0)
        b = tl.load(b_ptr + j * D + d, mask=j < m, other=0.0)
        diff = a[:, None] - b[None, :]
        total = tl.fma(diff, diff, total)
    tl.store(out_ptr + i[:, None] * m + j[None, :], tl.sqrt(total), mask=(i < n)[:, None] & (j < m)[None, :])


@case("math_functions/pairwise_distances")
def distances_case(make):
    a, b, out = make.normal(20, 3), make.normal(30, 3), make.output(20, 30)
    make.launch(pairwise_distances, (2, 2), a, b, out, 20, 30, D=3, BN=16, BM=16)
    make.expect(out, np.sqrt(((a.values[:, None].astype(np.float64) - b.values) ** 2).sum(-1)))
