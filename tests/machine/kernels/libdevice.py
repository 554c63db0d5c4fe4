"""Functions of CUDA's device library by name. The interpreter has none of them."""
import math

import numpy as np
import triton
import triton.language as tl
from triton.language.extra import libdevice

from .case import case

_WHY = "it has no device library"


def each(function, *arrays):
    return np.array([function(*[float(v) for v in values]) for values in zip(*[a.values for a in arrays])])


@triton.jit
def hyperbolic(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, libdevice.tanh(x), mask=i < n)
    tl.store(out_ptr + n + i, libdevice.sinh(x), mask=i < n)
    tl.store(out_ptr + 2 * n + i, libdevice.cosh(x), mask=i < n)
    tl.store(out_ptr + 3 * n + i, libdevice.asinh(x), mask=i < n)


for _dtype in ("float32", "float64"):
    @case(f"libdevice/hyperbolic_{_dtype}", no_interpreter=_WHY)
    def hyperbolic_case(make, dtype=_dtype):
        x, out = make.normal(100, scale=2, dtype=dtype), make.output(4, 100, dtype=dtype)
        make.launch(hyperbolic, 1, x, out, 100, BLOCK=128)
        v = x.values.astype(np.float64)
        make.expect(out, np.stack([np.tanh(v), np.sinh(v), np.cosh(v), np.arcsinh(v)]))


@triton.jit
def inverse_trigonometry(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.load(y_ptr + i, mask=i < n, other=1.0)
    tl.store(out_ptr + i, libdevice.asin(x), mask=i < n)
    tl.store(out_ptr + n + i, libdevice.acos(x), mask=i < n)
    tl.store(out_ptr + 2 * n + i, libdevice.atan(y), mask=i < n)
    tl.store(out_ptr + 3 * n + i, libdevice.atan2(x, y), mask=i < n)
    tl.store(out_ptr + 4 * n + i, libdevice.tan(x), mask=i < n)
    tl.store(out_ptr + 5 * n + i, libdevice.atanh(x * 0.9), mask=i < n)


@case("libdevice/inverse_trigonometry", no_interpreter=_WHY)
def inverse_case(make):
    x, y, out = make.uniform(100, low=-1, high=1), make.normal(100, scale=3), make.output(6, 100)
    make.launch(inverse_trigonometry, 1, x, y, out, 100, BLOCK=128)
    a, b = x.values.astype(np.float64), y.values.astype(np.float64)
    make.expect(out, np.stack([np.arcsin(a), np.arccos(a), np.arctan(b), np.arctan2(a, b), np.tan(a),
                               np.arctanh((x.values * np.float32(0.9)).astype(np.float64))]))


@triton.jit
def exponent_family(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, libdevice.expm1(x), mask=i < n)
    tl.store(out_ptr + n + i, libdevice.log1p(tl.abs(x)), mask=i < n)
    tl.store(out_ptr + 2 * n + i, libdevice.exp10(x * 0.1), mask=i < n)
    tl.store(out_ptr + 3 * n + i, libdevice.log10(tl.abs(x) + 1.0), mask=i < n)
    tl.store(out_ptr + 4 * n + i, libdevice.cbrt(x), mask=i < n)


@case("libdevice/exponent_family", no_interpreter=_WHY)
def exponent_case(make):
    x, out = make.normal(100, scale=3), make.output(5, 100)
    make.launch(exponent_family, 1, x, out, 100, BLOCK=128)
    v = x.values.astype(np.float64)
    make.expect(out, np.stack([np.expm1(v), np.log1p(np.abs(v)), 10 ** (v * 0.1), np.log10(np.abs(v) + 1), np.cbrt(v)]))


@triton.jit
def powers(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0)
    y = tl.load(y_ptr + i, mask=i < n, other=1.0)
    tl.store(out_ptr + i, libdevice.pow(x, y), mask=i < n)
    tl.store(out_ptr + n + i, libdevice.pow(x, 3), mask=i < n)
    tl.store(out_ptr + 2 * n + i, libdevice.hypot(x, y), mask=i < n)
    tl.store(out_ptr + 3 * n + i, libdevice.fmod(y, x), mask=i < n)


@case("libdevice/powers", no_interpreter=_WHY)
def powers_case(make):
    x, y, out = make.uniform(100, low=0.2, high=3), make.normal(100), make.output(4, 100)
    make.launch(powers, 1, x, y, out, 100, BLOCK=128)
    a, b = x.values.astype(np.float64), y.values.astype(np.float64)
    make.expect(out, np.stack([a ** b, a ** 3, np.hypot(a, b), np.fmod(b, a)]))


@triton.jit
def special_functions(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0)
    tl.store(out_ptr + i, libdevice.erf(x), mask=i < n)
    tl.store(out_ptr + n + i, libdevice.erfc(x), mask=i < n)
    tl.store(out_ptr + 2 * n + i, libdevice.lgamma(tl.abs(x) + 0.5), mask=i < n)
    tl.store(out_ptr + 3 * n + i, libdevice.tgamma(tl.abs(x) + 0.5), mask=i < n)


@case("libdevice/special_functions", no_interpreter=_WHY)
def special_case(make):
    x, out = make.normal(100), make.output(4, 100)
    make.launch(special_functions, 1, x, out, 100, BLOCK=128)
    shifted = (np.abs(x.values) + np.float32(0.5)).astype(np.float64)
    make.expect(out, np.stack([each(math.erf, x), each(math.erfc, x), [math.lgamma(v) for v in shifted], [math.gamma(v) for v in shifted]]))


@triton.jit
def rounding_family(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, libdevice.trunc(x), mask=i < n)
    tl.store(out_ptr + n + i, libdevice.round(x), mask=i < n)
    tl.store(out_ptr + 2 * n + i, libdevice.rint(x), mask=i < n)
    tl.store(out_ptr + 3 * n + i, libdevice.nearbyint(x), mask=i < n)
    tl.store(out_ptr + 4 * n + i, libdevice.copysign(tl.full((BLOCK,), 2.0, tl.float32), x), mask=i < n)


@case("libdevice/rounding_family", no_interpreter=_WHY)
def rounding_family_case(make):
    x = make.array(np.concatenate([make.random.uniform(-9, 9, 90), [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.0, -0.0, 3.0, -3.0]]), "float32")
    out = make.output(5, 100)
    make.launch(rounding_family, 1, x, out, 100, BLOCK=128)
    v = x.values
    away = np.trunc(v + np.copysign(0.5, v))
    make.expect(out, np.stack([np.trunc(v), away, np.rint(v), np.rint(v), np.copysign(2, v)]), "exact")


@triton.jit
def classify_floats(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    nan = libdevice.isnan(x).to(tl.int32) != 0
    inf = libdevice.isinf(x).to(tl.int32) != 0
    negative = libdevice.signbit(x).to(tl.int32) != 0
    tl.store(out_ptr + i, nan.to(tl.int32) + 2 * inf.to(tl.int32) + 4 * negative.to(tl.int32), mask=i < n)


@case("libdevice/classify_floats", no_interpreter=_WHY)
def classify_case(make):
    x = make.array(make.random.choice([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan], 100), "float32")
    out = make.output(100, dtype="int32")
    make.launch(classify_floats, 1, x, out, 100, BLOCK=128)
    v = x.values
    make.expect(out, np.isnan(v) + 2 * np.isinf(v) + 4 * np.signbit(v))


@triton.jit
def integer_bits(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.store(out_ptr + i, libdevice.popc(x), mask=i < n)
    tl.store(out_ptr + n + i, libdevice.clz(x), mask=i < n)
    tl.store(out_ptr + 2 * n + i, libdevice.ffs(x), mask=i < n)
    tl.store(out_ptr + 3 * n + i, libdevice.brev(x), mask=i < n)


@case("libdevice/integer_bits", no_interpreter=_WHY)
def integer_bits_case(make):
    x, out = make.bits(100), make.output(4, 100, dtype="int32")
    x.raw[0] = 0
    make.launch(integer_bits, 1, x, out, 100, BLOCK=128)
    words = [format(int(v) & 0xFFFFFFFF, "032b") for v in x.values]
    reverse = np.array([int(w[::-1], 2) for w in words], np.uint32).view(np.int32)
    make.expect(out, np.stack([[w.count("1") for w in words], [32 if "1" not in w else w.index("1") for w in words],
                               [0 if "1" not in w else 32 - w.rindex("1") for w in words], reverse]))


@triton.jit
def fused_and_fast(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0)
    y = tl.load(y_ptr + i, mask=i < n, other=1.0)
    tl.store(out_ptr + i, libdevice.fma(x, y, x), mask=i < n)
    tl.store(out_ptr + n + i, libdevice.rsqrt(y), mask=i < n)
    tl.store(out_ptr + 2 * n + i, libdevice.fast_expf(x), mask=i < n)
    tl.store(out_ptr + 3 * n + i, libdevice.fast_dividef(x, y), mask=i < n)


@case("libdevice/fused_and_fast", no_interpreter=_WHY)
def fast_case(make):
    x, y, out = make.normal(100), make.uniform(100, low=0.5, high=3), make.output(4, 100)
    make.launch(fused_and_fast, 1, x, y, out, 100, BLOCK=128)
    a, b = x.values.astype(np.float64), y.values.astype(np.float64)
    make.expect(out, np.stack([a * b + a, 1 / np.sqrt(b), np.exp(a), a / b]), "approximate")


@triton.jit
def gelu_by_tanh(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    y = 0.5 * x * (1.0 + libdevice.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
    tl.store(y_ptr + i, y.to(y_ptr.dtype.element_ty), mask=i < n)


@case("libdevice/gelu_by_tanh_bfloat16", no_interpreter=_WHY)
def gelu_by_tanh_case(make):
    x, y = make.normal(300, dtype="bfloat16"), make.output(300, dtype="bfloat16")
    make.launch(gelu_by_tanh, 3, x, y, 300, BLOCK=128)
    v = x.values.astype(np.float64)
    make.expect(y, 0.5 * v * (1 + np.tanh(0.7978845608028654 * (v + 0.044715 * v ** 3))))
