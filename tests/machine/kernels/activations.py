"""Activation functions and gates."""
import numpy as np
import triton
import triton.language as tl

from .case import case


@triton.jit
def relu_kernel(x_ptr, y_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    x = tl.load(x_ptr + offs, mask=offs < n_elements, other=0.0)
    tl.store(y_ptr + offs, tl.maximum(x, 0.0), mask=offs < n_elements)


@case("activations/relu")
def relu_case(make):
    x, y = make.normal(33, 29), make.output(33, 29)
    make.launch(relu_kernel, 8, x, y, 33 * 29, BLOCK_SIZE=128, num_warps=2)
    make.expect(y, np.maximum(x.values, 0))


@triton.jit
def gelu_tanh(x):
    inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
    # tanh by the sigmoid, as there is none in tl
    return 0.5 * x * (1.0 + (2.0 * tl.sigmoid(2.0 * inner) - 1.0))


@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, EXACT: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n, other=0.0).to(tl.float32)
    if EXACT:
        y = 0.5 * x * (1.0 + tl.math.erf(x * 0.7071067811865476))
    else:
        y = gelu_tanh(x)
    tl.store(y_ptr + offs, y.to(y_ptr.dtype.element_ty), mask=offs < n)


def erf(x):
    from math import erf as scalar
    return np.vectorize(scalar)(x.astype(np.float64))


for _exact in (True, False):
    for _dtype in ("float32", "float16", "bfloat16"):
        @case(f"activations/gelu_{'erf' if _exact else 'tanh'}_{_dtype}")
        def gelu_case(make, exact=_exact, dtype=_dtype):
            x, y = make.normal(700, dtype=dtype, scale=2), make.output(700, dtype=dtype)
            make.launch(gelu_kernel, 3, x, y, 700, EXACT=exact, BLOCK=256)
            v = x.values.astype(np.float64)
            t = np.tanh(0.7978845608028654 * (v + 0.044715 * v ** 3))
            make.expect(y, 0.5 * v * (1 + erf(v * 0.7071067811865476)) if exact else 0.5 * v * (1 + t))


@triton.jit
def silu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n).to(tl.float32)
    tl.store(y_ptr + offs, x * tl.sigmoid(x), mask=offs < n)


@case("activations/silu_f16")
def silu_case(make):
    x, y = make.normal(321, dtype="float16"), make.output(321, dtype="float16")
    make.launch(silu_kernel, 3, x, y, 321, BLOCK=128)
    v = x.values.astype(np.float64)
    make.expect(y, v / (1 + np.exp(-v)))


@triton.jit
def swiglu_kernel(x_ptr, out_ptr, half, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = c < half
    gate = tl.load(x_ptr + row * 2 * half + c, mask=mask, other=0.0)
    value = tl.load(x_ptr + row * 2 * half + half + c, mask=mask, other=0.0)
    tl.store(out_ptr + row * half + c, gate / (1.0 + tl.exp(-gate)) * value, mask=mask)


@case("activations/swiglu")
def swiglu_case(make):
    x, out = make.normal(6, 180), make.output(6, 90)
    make.launch(swiglu_kernel, (6, 2), x, out, 90, BLOCK=64)
    gate, value = x.values[:, :90].astype(np.float64), x.values[:, 90:]
    make.expect(out, gate / (1 + np.exp(-gate)) * value)


@triton.jit
def leaky_relu_in_place(x_ptr, n, slope, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(x_ptr + offs, tl.where(x >= 0, x, slope * x), mask=offs < n)


@case("activations/leaky_relu_in_place")
def leaky_relu_case(make):
    x = make.normal(300)
    make.launch(leaky_relu_in_place, 5, x, 300, 0.01, BLOCK=64)
    make.expect(x, np.where(x.values >= 0, x.values, np.float32(0.01) * x.values))


@triton.jit
def hardswish_clamped(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(y_ptr + offs, x * tl.clamp(x + 3.0, 0.0, 6.0) / 6.0, mask=offs < n)


@case("activations/hardswish_clamp")
def hardswish_case(make):
    x, y = make.normal(200, scale=3), make.output(200)
    make.launch(hardswish_clamped, 2, x, y, 200, BLOCK=128)
    make.expect(y, x.values * np.clip(x.values + 3, 0, 6) / 6)


@triton.jit
def mish_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n, other=0.0)
    softplus = tl.where(x > 20.0, x, tl.log(1.0 + tl.exp(x)))
    e = tl.exp(-2.0 * softplus)
    tl.store(y_ptr + offs, x * (1.0 - e) / (1.0 + e), mask=offs < n)


@case("activations/mish")
def mish_case(make):
    x, y = make.normal(150, scale=4), make.output(150)
    make.launch(mish_kernel, 2, x, y, 150, BLOCK=128)
    v = x.values.astype(np.float64)
    make.expect(y, v * np.tanh(np.log1p(np.exp(v))), "approximate")
