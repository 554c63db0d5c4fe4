"""Integer arithmetic of all widths, signed and not."""
import numpy as np
import triton
import triton.language as tl

from .case import case


@triton.jit
def integer_arithmetic(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask)
    y = tl.load(y_ptr + i, mask=mask, other=1)
    tl.store(out_ptr + i, x + y, mask=mask)
    tl.store(out_ptr + n + i, x - y, mask=mask)
    tl.store(out_ptr + 2 * n + i, x * y, mask=mask)
    tl.store(out_ptr + 3 * n + i, x & y, mask=mask)
    tl.store(out_ptr + 4 * n + i, x | y, mask=mask)
    tl.store(out_ptr + 5 * n + i, x ^ y, mask=mask)
    tl.store(out_ptr + 6 * n + i, ~x, mask=mask)
    tl.store(out_ptr + 7 * n + i, tl.minimum(x, y), mask=mask)
    tl.store(out_ptr + 8 * n + i, tl.maximum(x, y), mask=mask)


for _dtype in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
    @case(f"integers/arithmetic_wraps_{_dtype}", no_interpreter="it cannot invert unsigned integers" if _dtype[0] == "u" else "")
    def arithmetic_case(make, dtype=_dtype):
        x, y, out = make.bits(100, dtype=dtype), make.bits(100, dtype=dtype), make.output(9, 100, dtype=dtype)
        make.launch(integer_arithmetic, 2, x, y, out, 100, BLOCK=64)
        a, b = x.values, y.values
        with np.errstate(over="ignore"):
            make.expect(out, np.stack([a + b, a - b, a * b, a & b, a | b, a ^ b, ~a, np.minimum(a, b), np.maximum(a, b)]))


@triton.jit
def integer_division(x_ptr, y_ptr, quotient_ptr, remainder_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    y = tl.load(y_ptr + i, mask=i < n, other=1)
    tl.store(quotient_ptr + i, x // y, mask=i < n)
    tl.store(remainder_ptr + i, x % y, mask=i < n)


for _dtype in ("int32", "int64", "uint32", "int16"):
    @case(f"integers/division_truncates_{_dtype}")
    def division_case(make, dtype=_dtype):
        x = make.bits(200, dtype=dtype)
        divisors = make.random.integers(1, 1000, 200) * (1 if dtype[0] == "u" else make.random.choice([-1, 1], 200))
        y, quotient, remainder = make.array(divisors, dtype), make.output(200, dtype=dtype), make.output(200, dtype=dtype)
        make.launch(integer_division, 2, x, y, quotient, remainder, 200, BLOCK=128)
        a, b = x.values.astype(object), y.values.astype(object)
        q = np.array([abs(p) // abs(d) * (1 if (p < 0) == (d < 0) else -1) for p, d in zip(a, b)], dtype=object)
        make.expect(quotient, q.astype(dtype))
        make.expect(remainder, (a - q * b).astype(dtype))


@triton.jit
def integer_shifts(x_ptr, s_ptr, left_ptr, right_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    s = tl.load(s_ptr + i, mask=i < n, other=0)
    tl.store(left_ptr + i, x << s, mask=i < n)
    tl.store(right_ptr + i, x >> s, mask=i < n)


for _dtype in ("int8", "int32", "uint32", "int64", "uint8"):
    @case(f"integers/shifts_{_dtype}")
    def shifts_case(make, dtype=_dtype):
        width = np.dtype(dtype).itemsize * 8
        x, s = make.bits(100, dtype=dtype), make.integers(100, high=width, dtype=dtype)
        left, right = make.output(100, dtype=dtype), make.output(100, dtype=dtype)
        make.launch(integer_shifts, 2, x, s, left, right, 100, BLOCK=64)
        make.expect(left, x.values << s.values)
        make.expect(right, x.values >> s.values)


@triton.jit
def high_words(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    y = tl.load(y_ptr + i, mask=i < n, other=0)
    tl.store(out_ptr + i, tl.umulhi(x, y), mask=i < n)


for _dtype in ("uint32", "uint64"):
    @case(f"integers/umulhi_{_dtype}")
    def umulhi_case(make, dtype=_dtype):
        x, y, out = make.bits(100, dtype=dtype), make.bits(100, dtype=dtype), make.output(100, dtype=dtype)
        make.launch(high_words, 1, x, y, out, 100, BLOCK=128)
        width = np.dtype(dtype).itemsize * 8
        make.expect(out, np.array([int(a) * int(b) >> width for a, b in zip(x.values, y.values)], dtype=dtype))


@triton.jit
def comparisons(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    y = tl.load(y_ptr + i, mask=i < n, other=0)
    code = (x < y).to(tl.int32) + 2 * (x <= y).to(tl.int32) + 4 * (x > y).to(tl.int32)
    code += 8 * (x >= y).to(tl.int32) + 16 * (x == y).to(tl.int32) + 32 * (x != y).to(tl.int32)
    tl.store(out_ptr + i, code, mask=i < n)


for _dtype in ("int32", "uint32", "int8", "uint8", "float32", "int64"):
    @case(f"integers/comparisons_{_dtype}")
    def comparisons_case(make, dtype=_dtype):
        if dtype == "float32":
            values = make.random.choice([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan], (2, 100))
            x, y = make.array(values[0], dtype), make.array(values[1], dtype)
        else:
            x, y = make.bits(100, dtype=dtype), make.bits(100, dtype=dtype)
            y.raw[::3] = x.raw[::3]
        out = make.output(100, dtype="int32")
        make.launch(comparisons, 1, x, y, out, 100, BLOCK=128)
        a, b = x.values, y.values
        make.expect(out, (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b))


@triton.jit
def ceil_division_indices(out_ptr, total, parts, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    per_part = tl.cdiv(total, parts)
    tl.store(out_ptr + i, tl.cdiv(i, per_part) * 1000 + tl.minimum(i // per_part, parts - 1), mask=i < total)


@case("integers/cdiv")
def cdiv_case(make):
    out = make.output(100, dtype="int32")
    make.launch(ceil_division_indices, 1, out, 100, 7, BLOCK=128)
    i = np.arange(100)
    make.expect(out, -(-i // 15) * 1000 + np.minimum(i // 15, 6))


@triton.jit
def population_count(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    x = x - ((x >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    tl.store(out_ptr + i, ((x * 0x01010101) >> 24).to(tl.int32), mask=i < n)


@case("integers/population_count_uint32")
def population_case(make):
    x, out = make.bits(100, dtype="uint32"), make.output(100, dtype="int32")
    make.launch(population_count, 2, x, out, 100, BLOCK=64)
    make.expect(out, [bin(int(v)).count("1") for v in x.values])


@triton.jit
def collatz_lengths(out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = i + 1
    steps = tl.zeros((BLOCK,), tl.int32)
    while tl.max((x != 1).to(tl.int32), 0) == 1:
        odd = x & 1
        next_x = tl.where(odd == 1, 3 * x + 1, x // 2)
        steps += (x != 1).to(tl.int32)
        x = tl.where(x != 1, next_x, x)
    tl.store(out_ptr + i, steps, mask=i < n)


@case("integers/collatz_while_any_lane_runs")
def collatz_case(make):
    out = make.output(60, dtype="int32")
    make.launch(collatz_lengths, 2, out, 60, BLOCK=32)

    def length(x):
        steps = 0
        while x != 1:
            x, steps = (3 * x + 1 if x % 2 else x // 2), steps + 1
        return steps
    make.expect(out, [length(i + 1) for i in range(60)])


@triton.jit
def greatest_divisors(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x_ptr + i)
    b = tl.load(y_ptr + i)
    while tl.sum(b, 0) != 0:
        rest = tl.where(b != 0, a % tl.where(b != 0, b, 1), 0)
        a = tl.where(b != 0, b, a)
        b = rest
    tl.store(out_ptr + i, a)


@case("integers/greatest_common_divisor")
def gcd_case(make):
    x, y, out = make.integers(64, low=1, high=1000), make.integers(64, low=1, high=1000), make.output(64, dtype="int32")
    make.launch(greatest_divisors, 1, x, y, out, BLOCK=64)
    make.expect(out, np.gcd(x.values, y.values))


@triton.jit
def bit_field_pack(a_ptr, b_ptr, c_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + i, mask=i < n, other=0).to(tl.uint16)
    b = tl.load(b_ptr + i, mask=i < n, other=0).to(tl.uint16)
    c = tl.load(c_ptr + i, mask=i < n, other=0).to(tl.uint16)
    tl.store(out_ptr + i, ((a >> 3) << 11) | ((b >> 2) << 5) | (c >> 3), mask=i < n)


@case("integers/pack_rgb565")
def pack_case(make):
    r, g, b = (make.bits(90, dtype="uint8") for _ in range(3))
    out = make.output(90, dtype="uint16")
    make.launch(bit_field_pack, 1, r, g, b, out, 90, BLOCK=128)
    x, y, z = (v.values.astype(np.uint16) for v in (r, g, b))
    make.expect(out, ((x >> 3) << 11) | ((y >> 2) << 5) | (z >> 3))


@triton.jit
def offsets_beyond_32_bits(out_ptr, stride, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK).to(tl.int64)
    large = i * stride
    tl.store(out_ptr + i, large // 3 + (large % 1000))


@case("integers/int64_products_beyond_32_bits")
def large_offsets_case(make):
    out = make.output(64, dtype="int64")
    make.launch(offsets_beyond_32_bits, 1, out, 2 ** 40 + 123, BLOCK=64)
    large = np.arange(64, dtype=np.int64) * (2 ** 40 + 123)
    make.expect(out, large // 3 + large % 1000)
