"""One element in, one element out."""
import numpy as np
import triton
import triton.language as tl

from .case import case


@triton.jit
def vector_add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


for _dtype in ("float32", "float16", "bfloat16", "float64", "int32", "int64", "int8"):
    @case(f"pointwise/vector_add_{_dtype}", no_interpreter="it adds the bits of bfloat16" if _dtype == "bfloat16" else "")
    def vector_add_case(make, dtype=_dtype):
        if dtype.startswith("int"):
            x, y = make.bits(997, dtype=dtype), make.bits(997, dtype=dtype)
        else:
            x, y = make.normal(997, dtype=dtype), make.normal(997, dtype=dtype)
        out = make.output(997, dtype=dtype)
        make.launch(vector_add, 4, x, y, out, 997, BLOCK=256)
        with np.errstate(over="ignore"):
            make.expect(out, x.values + y.values)


@triton.jit
def fused_multiply_add(a_ptr, b_ptr, c_ptr, out_ptr, alpha, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(a_ptr + offs, mask=mask, other=0.0)
    b = tl.load(b_ptr + offs, mask=mask, other=0.0)
    c = tl.load(c_ptr + offs, mask=mask, other=0.0)
    tl.store(out_ptr + offs, tl.fma(a * alpha, b, c), mask=mask)


@case("pointwise/addcmul_fma")
def fused_multiply_add_case(make):
    a, b, c, out = make.normal(257), make.normal(257), make.normal(257), make.output(257)
    make.launch(fused_multiply_add, 5, a, b, c, out, 0.5, 257, BLOCK=64)
    make.expect(out, c.values + 0.5 * a.values * b.values)


@triton.jit
def bias_relu_2d(x_ptr, bias_ptr, out_ptr, rows, cols, stride_row, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.program_id(1) * C + tl.arange(0, C)
    mask = (r[:, None] < rows) & (c[None, :] < cols)
    x = tl.load(x_ptr + r[:, None] * stride_row + c[None, :], mask=mask)
    bias = tl.load(bias_ptr + c, mask=c < cols)
    tl.store(out_ptr + r[:, None] * cols + c[None, :], tl.maximum(x + bias[None, :], 0), mask=mask)


@case("pointwise/bias_relu_with_row_stride")
def bias_relu_case(make):
    x, bias, out = make.normal(19, 64), make.normal(50), make.output(19, 50)
    make.launch(bias_relu_2d, (3, 2), x, bias, out, 19, 50, 64, R=8, C=32)
    make.expect(out, np.maximum(x.values[:, :50] + bias.values, 0))


@triton.jit
def grid_of_three(x_ptr, out_ptr, depth, height, width, BLOCK: tl.constexpr):
    z = tl.program_id(2)
    y = tl.program_id(1)
    x = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = (z * height + y) * width + x
    value = tl.load(x_ptr + at, mask=x < width)
    scale = 1 + z + 10 * y + 100 * (tl.num_programs(0) + tl.num_programs(1) + tl.num_programs(2))
    tl.store(out_ptr + at, value * scale, mask=x < width)


@case("pointwise/three_program_ids")
def grid_of_three_case(make):
    x, out = make.normal(3, 5, 40), make.output(3, 5, 40)
    make.launch(grid_of_three, (3, 5, 3), x, out, 3, 5, 40, BLOCK=16)
    z, y = np.arange(3)[:, None, None], np.arange(5)[:, None]
    make.expect(out, x.values * (1 + z + 10 * y + 1100))


@triton.jit
def grid_stride_loop(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    step = tl.num_programs(0) * BLOCK
    for base in range(start, n, step):
        offs = base + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offs, mask=offs < n, other=0.0)
        tl.store(out_ptr + offs, x * x - 1.0, mask=offs < n)


@case("pointwise/grid_stride_loop")
def grid_stride_case(make):
    x, out = make.normal(1000), make.output(1000)
    make.launch(grid_stride_loop, 3, x, out, 1000, BLOCK=64)
    make.expect(out, x.values * x.values - 1)


@triton.jit
def outer_sum(a_ptr, b_ptr, out_ptr, m, n, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)
    j = tl.arange(0, N)
    a = tl.load(a_ptr + i, mask=i < m, other=0.0)
    b = tl.load(b_ptr + j, mask=j < n, other=0.0)
    table = tl.expand_dims(a, 1) + tl.expand_dims(b, 0)
    tl.store(out_ptr + i[:, None] * n + j[None, :], table, mask=(i < m)[:, None] & (j < n)[None, :])


@case("pointwise/outer_sum_expand_dims")
def outer_sum_case(make):
    a, b, out = make.normal(13), make.normal(27), make.output(13, 27)
    make.launch(outer_sum, 1, a, b, out, 13, 27, M=16, N=32)
    make.expect(out, a.values[:, None] + b.values)


@triton.jit
def rotary_halves(x_ptr, cos_ptr, sin_ptr, out_ptr, heads, HALF: tl.constexpr):
    position = tl.program_id(0)
    head = tl.program_id(1)
    d = tl.arange(0, HALF)
    base = (position * heads + head) * 2 * HALF
    c = tl.load(cos_ptr + position * HALF + d)
    s = tl.load(sin_ptr + position * HALF + d)
    x1 = tl.load(x_ptr + base + d)
    x2 = tl.load(x_ptr + base + HALF + d)
    tl.store(out_ptr + base + d, x1 * c - x2 * s)
    tl.store(out_ptr + base + HALF + d, x2 * c + x1 * s)


@case("pointwise/rotary_embedding")
def rotary_case(make):
    length, heads, half = 9, 3, 16
    angle = np.arange(length)[:, None] / 100.0 ** (np.arange(half) / half)
    x, cos, sin = make.normal(length, heads, 2 * half), make.array(np.cos(angle), "float32"), make.array(np.sin(angle), "float32")
    out = make.output(length, heads, 2 * half)
    make.launch(rotary_halves, (length, heads), x, cos, sin, out, heads, HALF=half)
    x1, x2, c, s = x.values[..., :half], x.values[..., half:], cos.values[:, None], sin.values[:, None]
    make.expect(out, np.concatenate([x1 * c - x2 * s, x2 * c + x1 * s], -1))


@triton.jit
def dequantize_rows(q_ptr, scale_ptr, zero_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    q = tl.load(q_ptr + row * cols + c, mask=c < cols, other=0)
    scale = tl.load(scale_ptr + row)
    zero = tl.load(zero_ptr + row)
    tl.store(out_ptr + row * cols + c, (q.to(tl.float32) - zero) * scale, mask=c < cols)


@case("pointwise/dequantize_int8_rows")
def dequantize_case(make):
    q, scale, zero = make.bits(7, 40, dtype="int8"), make.uniform(7, low=0.01, high=0.1), make.integers(7, low=-8, high=8)
    out = make.output(7, 40)
    make.launch(dequantize_rows, 7, q, scale, zero, out, 40, BLOCK=64)
    make.expect(out, (q.values - zero.values[:, None].astype(np.float64)) * scale.values[:, None])


@triton.jit
def quantize_rows(x_ptr, q_ptr, scale_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=0.0)
    scale = tl.max(tl.abs(x), 0) / 127.0
    y = x / scale
    q = tl.floor(y + 0.5)
    tl.store(q_ptr + row * cols + c, tl.minimum(tl.maximum(q, -127.0), 127.0).to(tl.int8), mask=c < cols)
    tl.store(scale_ptr + row, scale)


@case("pointwise/quantize_int8_rows")
def quantize_case(make):
    # a grid of values far from ties, so that no rounding of the division decides
    steps = make.random.integers(-100, 101, (5, 50))
    steps[:, 7] = 127
    x, q, scale = make.array(steps * 0.25 + 0.03, "float32"), make.output(5, 50, dtype="int8"), make.output(5)
    make.launch(quantize_rows, 5, x, q, scale, 50, BLOCK=64)
    factor = np.abs(x.values).max(1) / 127
    make.expect(q, np.clip(np.floor(x.values / factor[:, None] + 0.5), -127, 127))
    make.expect(scale, factor)


@triton.jit
def add_mixed_types(a_ptr, b_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + offs, mask=offs < n)
    b = tl.load(b_ptr + offs, mask=offs < n)
    tl.store(out_ptr + offs, a + b, mask=offs < n)


for _a, _b, _out in (("float16", "float32", "float32"), ("int32", "float32", "float32"), ("int8", "int32", "int64"),
                     ("float32", "float64", "float64"), ("uint8", "int16", "int32"), ("bool", "int32", "int32")):
    @case(f"pointwise/add_{_a}_and_{_b}")
    def add_mixed_case(make, a=_a, b=_b, out=_out):
        def some(dtype):
            return make.normal(100, dtype=dtype) if dtype.startswith("float") else make.integers(100, high=2 if dtype == "bool" else 50,
                                                                                                 dtype=dtype)
        x, y, z = some(a), some(b), make.output(100, dtype=out)
        make.launch(add_mixed_types, 2, x, y, z, 100, BLOCK=64)
        make.expect(z, x.values.astype(out) + y.values.astype(out))


@triton.jit
def logic_of_masks(a_ptr, b_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + offs, mask=offs < n, other=0) != 0
    b = tl.load(b_ptr + offs, mask=offs < n, other=0) != 0
    both = a & b
    either = a | b
    one = a ^ b
    neither = ~either
    code = both.to(tl.int32) + 2 * either.to(tl.int32) + 4 * one.to(tl.int32) + 8 * neither.to(tl.int32)
    tl.store(out_ptr + offs, code, mask=offs < n)


@case("pointwise/logic_of_booleans")
def logic_case(make):
    a, b, out = make.booleans(90), make.booleans(90), make.output(90, dtype="int32")
    make.launch(logic_of_masks, 2, a, b, out, 90, BLOCK=64)
    x, y = a.values, b.values
    make.expect(out, (x & y) + 2 * (x | y) + 4 * (x ^ y) + 8 * ~(x | y))


@triton.jit
def optional_bias(x_ptr, bias_ptr, out_ptr, n, HAS_BIAS: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    if HAS_BIAS:
        x += tl.load(bias_ptr + offs, mask=offs < n)
    tl.store(out_ptr + offs, x, mask=offs < n)


for _has in (False, True):
    @case(f"pointwise/optional_bias_{'given' if _has else 'none'}")
    def optional_bias_case(make, has=_has):
        x, out = make.normal(100), make.output(100)
        bias = make.normal(100) if has else None
        make.launch(optional_bias, 1, x, bias, out, 100, HAS_BIAS=has, BLOCK=128)
        make.expect(out, x.values + bias.values if has else x.values)


@triton.jit
def complex_multiply(a_ptr, b_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    ar = tl.load(a_ptr + 2 * i, mask=mask)
    ai = tl.load(a_ptr + 2 * i + 1, mask=mask)
    br = tl.load(b_ptr + 2 * i, mask=mask)
    bi = tl.load(b_ptr + 2 * i + 1, mask=mask)
    tl.store(out_ptr + 2 * i, ar * br - ai * bi, mask=mask)
    tl.store(out_ptr + 2 * i + 1, ar * bi + ai * br, mask=mask)


@case("pointwise/complex_multiply_interleaved")
def complex_multiply_case(make):
    a, b, out = make.normal(75, 2), make.normal(75, 2), make.output(75, 2)
    make.launch(complex_multiply, 2, a, b, out, 75, BLOCK=64)
    x, y = a.values[:, 0] + 1j * a.values[:, 1], b.values[:, 0] + 1j * b.values[:, 1]
    make.expect(out, np.stack([(x * y).real, (x * y).imag], -1))


@triton.jit
def scale_by_device_scalar(x_ptr, scale_ptr, out_ptr, n, inverse, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    scale = tl.load(scale_ptr)
    if inverse:
        scale = 1.0 / scale
    tl.store(out_ptr + offs, tl.load(x_ptr + offs, mask=offs < n) * scale, mask=offs < n)


for _inverse in (False, True):
    @case(f"pointwise/scale_by_device_scalar{'_inverse' if _inverse else ''}", no_interpreter="it refuses bool arguments")
    def scale_case(make, inverse=_inverse):
        x, scale, out = make.normal(100), make.array(np.float32([3.5])), make.output(100)
        make.launch(scale_by_device_scalar, 2, x, scale, out, 100, inverse, BLOCK=64)
        make.expect(out, x.values / 3.5 if inverse else x.values * 3.5)


@triton.jit
def brighten_pixels(image_ptr, out_ptr, height, width, amount, H: tl.constexpr, W: tl.constexpr):
    y = tl.program_id(1) * H + tl.arange(0, H)[:, None]
    x = tl.program_id(0) * W + tl.arange(0, W)[None, :]
    mask = (y < height) & (x < width)
    for channel in tl.static_range(3):
        at = (y * width + x) * 3 + channel
        value = tl.load(image_ptr + at, mask=mask, other=0).to(tl.int32) + amount
        tl.store(out_ptr + at, tl.minimum(value, 255).to(tl.uint8), mask=mask)


@case("pointwise/brighten_uint8_pixels")
def brighten_case(make):
    image, out = make.bits(21, 35, 3, dtype="uint8"), make.output(21, 35, 3, dtype="uint8")
    make.launch(brighten_pixels, (3, 3), image, out, 21, 35, 60, H=8, W=16)
    make.expect(out, np.minimum(image.values.astype(np.int32) + 60, 255))


@triton.jit
def adamw_step(p_ptr, g_ptr, m_ptr, v_ptr, n, lr, beta1, beta2, eps, decay, correction1, correction2, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    p = tl.load(p_ptr + offs, mask=mask)
    g = tl.load(g_ptr + offs, mask=mask)
    m = beta1 * tl.load(m_ptr + offs, mask=mask) + (1 - beta1) * g
    v = beta2 * tl.load(v_ptr + offs, mask=mask) + (1 - beta2) * g * g
    p = p * (1 - lr * decay) - lr * (m / correction1) / (tl.sqrt(v / correction2) + eps)
    tl.store(p_ptr + offs, p, mask=mask)
    tl.store(m_ptr + offs, m, mask=mask)
    tl.store(v_ptr + offs, v, mask=mask)


@case("pointwise/adamw_step_in_place")
def adamw_case(make):
    p, g, m, v = make.normal(200), make.normal(200), make.normal(200), make.uniform(200, low=0.1)
    make.launch(adamw_step, 4, p, g, m, v, 200, 1e-3, 0.9, 0.999, 1e-8, 0.01, 0.5, 0.3, BLOCK=64)
    gv = g.values.astype(np.float64)
    m2 = 0.9 * m.values + 0.1 * gv
    v2 = 0.999 * v.values + 0.001 * gv * gv
    make.expect(p, p.values * (1 - 1e-5) - 1e-3 * (m2 / 0.5) / (np.sqrt(v2 / 0.3) + 1e-8))
    make.expect(m, m2)
    make.expect(v, v2)


@triton.jit
def views_with_offsets(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n, eviction_policy="evict_first")
    y = tl.load(y_ptr + offs, mask=offs < n, cache_modifier=".cg")
    tl.store(out_ptr + offs, x - y, mask=offs < n, cache_modifier=".wb")


@case("pointwise/views_with_offsets_and_hints")
def views_case(make):
    x, out = make.normal(300), make.full(150, value=7.0)
    make.launch(views_with_offsets, 1, x.at(3), x.at(100), out.at(17), 99, BLOCK=128)
    expected = np.full(150, 7.0)
    expected[17:116] = x.values[3:102] - x.values[100:199]
    make.expect(out, expected)
