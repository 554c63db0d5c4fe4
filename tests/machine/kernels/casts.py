"""Conversions between types, and bits seen as another type."""
import numpy as np
import triton
import triton.language as tl

from . import element_types as types
from .case import case

_FLOATS = ("float64", "float32", "float16", "bfloat16")
_FLOAT8 = ("float8_e4m3fn", "float8_e5m2")


@triton.jit
def convert(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x.to(out_ptr.dtype.element_ty), mask=i < n)


def special_values(make):
    v = make.random.standard_normal(150) * np.exp2(make.random.integers(-12, 6, 150).astype(np.float64))
    return np.concatenate([v, [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 3.0, 65504.0, 1e-8, 448.0, 464.0, 57344.0]])


for _from in _FLOATS:
    for _to in _FLOATS:
        if _from != _to:
            @case(f"casts/{_from}_to_{_to}", no_interpreter="it truncates to bfloat16" if _to == "bfloat16" else "")
            def float_case(make, source=_from, target=_to):
                x = make.array(special_values(make), source)
                out = make.output(x.size, dtype=target)
                make.launch(convert, 2, x, out, x.size, BLOCK=128)
                make.expect(out, types.decode(types.encode(x.values, target), target), "exact")

for _from in ("float32", "float16", "bfloat16"):
    for _to in _FLOAT8:
        @case(f"casts/{_from}_to_{_to}", no_interpreter="it rounds wrongly to 8 bits: mantissas never carry into the exponent")
        def to_float8_case(make, source=_from, target=_to):
            x = make.array(np.clip(special_values(make), -400, 400), source)
            out = make.output(x.size, dtype=target)
            make.launch(convert, 2, x, out, x.size, BLOCK=128)
            make.expect(out, x.values, "exact")

def all_codes(make, dtype):
    x = make.zeros(256, dtype=dtype)
    x.raw[:] = np.arange(256)
    return x


for _from in _FLOAT8:
    for _to in ("float32", "float16", "bfloat16"):
        if (_from, _to) == ("float8_e5m2", "bfloat16"):
            continue

        @case(f"casts/{_from}_to_{_to}", no_interpreter="it knows no NaN and no infinity there")
        def from_float8_case(make, source=_from, target=_to):
            x, out = all_codes(make, source), make.output(256, dtype=target)
            make.launch(convert, 2, x, out, 256, BLOCK=128)
            make.expect(out, x.values, "exact")


@case("casts/float8_e5m2_to_bfloat16")
def e5m2_to_bfloat16_case(make):
    x, out = all_codes(make, "float8_e5m2"), make.output(256, dtype="bfloat16")
    make.launch(convert, 2, x, out, 256, BLOCK=128)
    # Triton moves the bits and scales: what would be infinity or NaN is the next power of two and its followers
    code = np.arange(256)
    beyond = np.where(code >= 128, -1, 1) * (1 + (code & 3) / 4) * 65536.0
    make.expect(out, np.where(code & 0x7C == 0x7C, beyond, x.values), "exact")


for _from, _to in (("float32", "int32"), ("float32", "int8"), ("float16", "int16"), ("float64", "int64"), ("float32", "int64"), ("float32", "uint8"),
                   ("float32", "uint32")):
    @case(f"casts/{_from}_to_{_to}_towards_zero")
    def float_to_integer_case(make, source=_from, target=_to):
        low = 0 if target[0] == "u" else -100
        x, out = make.uniform(150, low=low, high=100, dtype=source), make.output(150, dtype=target)
        make.launch(convert, 2, x, out, 150, BLOCK=128)
        make.expect(out, np.trunc(x.values))

for _from, _to in (("int32", "float32"), ("int64", "float32"), ("int64", "float64"), ("uint32", "float32"), ("uint8", "float16"), ("int8", "float32"),
                   ("int32", "float16"), ("bool", "float32"), ("uint64", "float64"), ("int32", "bfloat16")):
    @case(f"casts/{_from}_to_{_to}", no_interpreter="it truncates to bfloat16" if _to == "bfloat16" else "")
    def integer_to_float_case(make, source=_from, target=_to):
        small = target == "float16"
        x = make.booleans(150) if source == "bool" else make.integers(150, high=2000, dtype=source) if small and source == "int32" \
            else make.bits(150, dtype=source)
        out = make.output(150, dtype=target)
        make.launch(convert, 2, x, out, 150, BLOCK=128)
        make.expect(out, x.values.astype(np.float64) if target == "bfloat16" else x.values, "exact")

for _from, _to in (("int32", "int8"), ("int64", "int32"), ("int8", "int64"), ("uint8", "int32"), ("int8", "uint32"), ("uint32", "uint64"),
                   ("uint16", "int64"), ("int32", "bool"), ("uint64", "uint8")):
    @case(f"casts/{_from}_to_{_to}")
    def integer_case(make, source=_from, target=_to):
        x = make.integers(150, low=-2, high=3, dtype=source) if target == "bool" else make.bits(150, dtype=source)
        out = make.output(150, dtype=target)
        make.launch(convert, 2, x, out, 150, BLOCK=128)
        make.expect(out, x.values != 0 if target == "bool" else x.values)


@triton.jit
def bits_of_float(x_ptr, sign_ptr, exponent_ptr, mantissa_ptr, back_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask, other=0.0)
    bits = x.to(tl.uint32, bitcast=True)
    tl.store(sign_ptr + i, bits >> 31, mask=mask)
    tl.store(exponent_ptr + i, ((bits >> 23) & 0xFF).to(tl.int32) - 127, mask=mask)
    tl.store(mantissa_ptr + i, bits & 0x7FFFFF, mask=mask)
    tl.store(back_ptr + i, (bits ^ 0x80000000).to(tl.float32, bitcast=True), mask=mask)


@case("casts/bitcast_float32_fields")
def bits_case(make):
    x = make.normal(100, scale=100)
    sign, exponent, mantissa = make.output(100, dtype="uint32"), make.output(100, dtype="int32"), make.output(100, dtype="uint32")
    back = make.output(100)
    make.launch(bits_of_float, 2, x, sign, exponent, mantissa, back, 100, BLOCK=64)
    bits = x.values.view(np.uint32)
    make.expect(sign, bits >> 31)
    make.expect(exponent, ((bits >> 23) & 255).astype(np.int32) - 127)
    make.expect(mantissa, bits & 0x7FFFFF)
    make.expect(back, -x.values, "exact")


@triton.jit
def bfloat16_by_hand(x_ptr, bits_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(bits_ptr + i, x.to(tl.bfloat16).to(tl.int16, bitcast=True), mask=i < n)


@case("casts/bfloat16_bits", no_interpreter="it truncates to bfloat16")
def bfloat16_bits_case(make):
    x, out = make.array(special_values(make), "float32"), make.output(163, dtype="int16")
    make.launch(bfloat16_by_hand, 2, x, out, 163, BLOCK=128)
    make.expect(out, types.encode(x.values, "bfloat16").view(np.int16))


@triton.jit
def half_pairs(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    word = tl.load(x_ptr + i, mask=i < n, other=0)
    low = (word & 0xFFFF).to(tl.uint16).to(tl.float16, bitcast=True)
    high = (word >> 16).to(tl.uint16).to(tl.float16, bitcast=True)
    tl.store(out_ptr + i, low.to(tl.float32) + high.to(tl.float32), mask=i < n)


@case("casts/two_halves_in_a_word")
def half_pairs_case(make):
    halves = make.random.standard_normal((90, 2)).astype(np.float16)
    x, out = make.array(halves.view(np.uint32)[:, 0]), make.output(90)
    make.launch(half_pairs, 1, x, out, 90, BLOCK=128)
    make.expect(out, halves.astype(np.float32).sum(1))


@triton.jit
def view_as_other_width(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    bytes_ptr = x_ptr.to(tl.pointer_type(tl.uint8))
    low = tl.load(bytes_ptr + i * 4, mask=i < n)
    high = tl.load(bytes_ptr + i * 4 + 3, mask=i < n)
    tl.store(out_ptr + i, low.to(tl.int32) * 256 + high.to(tl.int32), mask=i < n)


@case("casts/pointer_to_bytes")
def view_case(make):
    x, out = make.bits(80), make.output(80, dtype="int32")
    make.launch(view_as_other_width, 1, x, out, 80, BLOCK=128)
    b = x.values.view(np.uint8).reshape(80, 4).astype(np.int32)
    make.expect(out, b[:, 0] * 256 + b[:, 3])


@triton.jit
def round_downwards_modes(x_ptr, near_ptr, zero_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(near_ptr + i, x.to(tl.float16, fp_downcast_rounding="rtne"), mask=i < n)
    tl.store(zero_ptr + i, x.to(tl.float16, fp_downcast_rounding="rtz"), mask=i < n)


@case("casts/float16_rounding_modes")
def rounding_case(make):
    x, near, zero = make.normal(200), make.output(200, dtype="float16"), make.output(200, dtype="float16")
    make.launch(round_downwards_modes, 1, x, near, zero, 200, BLOCK=256)
    h = x.values.astype(np.float16)
    too_far = np.abs(h.astype(np.float32)) > np.abs(x.values)
    make.expect(near, h, "exact")
    make.expect(zero, np.where(too_far, np.nextafter(h, np.float16(0)), h), "exact")
