"""Element types by torch's names: how arrays of them are stored, and how close two results of them must be."""
import numpy as np

NATIVE = {name: np.dtype(name) for name in (
    "float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool")}
_FLOAT8 = {"float8_e4m3fn": (4, 3, 7), "float8_e5m2": (5, 2, 15)}  # exponent bits, mantissa bits, bias


def stored_as(dtype):
    """The numpy type of the raw array."""
    if dtype in NATIVE:
        return NATIVE[dtype]
    return np.dtype("uint16") if dtype == "bfloat16" else np.dtype("uint8")


def is_floating(dtype):
    return dtype.startswith(("float", "bfloat"))


def encode(values, dtype):
    """Rounds to nearest even where the type is narrower."""
    values = np.asarray(values)
    if dtype in NATIVE:
        with np.errstate(over="ignore", invalid="ignore"):
            return values.astype(NATIVE[dtype])
    if dtype == "bfloat16":
        single = values.astype(np.float32)
        bits = single.view(np.uint32)
        rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
        return np.where(np.isnan(single), np.uint16(0x7FC0), rounded)
    return _encode_float8(values.astype(np.float64), dtype)


def decode(raw, dtype):
    if dtype in NATIVE:
        return raw
    if dtype == "bfloat16":
        return (raw.astype(np.uint32) << 16).view(np.float32)
    return _float8_values(dtype)[raw]


def _float8_values(dtype):
    exponent_bits, mantissa_bits, bias = _FLOAT8[dtype]
    code = np.arange(256)
    exponent = (code >> mantissa_bits) & ((1 << exponent_bits) - 1)
    mantissa = (code & ((1 << mantissa_bits) - 1)) / (1 << mantissa_bits)
    value = np.where(exponent == 0, mantissa * 2.0 ** (1 - bias), (1 + mantissa) * 2.0 ** (exponent - bias))
    if dtype == "float8_e4m3fn":
        value = np.where(code & 0x7F == 0x7F, np.nan, value)
    else:
        value = np.where(exponent == 31, np.where(mantissa == 0, np.inf, np.nan), value)
    return np.where(code >= 128, -value, value).astype(np.float32)


def _encode_float8(values, dtype):
    table = _float8_values(dtype)[:128].astype(np.float64)
    finite = table[np.isfinite(table)]
    size = np.minimum(np.abs(values), finite[-1])  # saturates, as Triton's casts do
    above = np.clip(np.searchsorted(finite, size), 0, len(finite) - 1)
    below = np.maximum(above - 1, 0)
    low, high = size - finite[below], finite[above] - size
    code = np.where((low < high) | ((low == high) & (below % 2 == 0)), below, above)
    code = np.where(np.isnan(values), 0x7F, code)
    return (code | np.where(np.signbit(values), 0x80, 0)).astype(np.uint8)


# (rtol, atol) by what the kernel does. Integers are always exact.
_POINTWISE = {"float64": (1e-12, 1e-12), "float32": (1e-5, 1e-5), "float16": (2e-3, 1e-3), "bfloat16": (1e-2, 1e-2),
              "float8_e4m3fn": (0.13, 2e-3), "float8_e5m2": (0.26, 2e-3)}
TOLERANCES = {
    "exact": {},                                                                            # moved, never computed
    "pointwise": _POINTWISE,                                                                # a few operations an element
    "sum": {**_POINTWISE, "float32": (1e-4, 1e-4), "float16": (4e-3, 4e-3), "bfloat16": (2e-2, 2e-2)},   # order of addition is free
    "dot": {**_POINTWISE, "float64": (1e-10, 1e-10), "float32": (1e-4, 2e-4), "float16": (4e-3, 1e-2), "bfloat16": (2e-2, 4e-2)},
    "tf32": {"float32": (5e-3, 1e-2)},                                                      # against float32 arithmetic
    "float8_dot": {"float32": (1e-2, 2e-2)},                                                # Hopper adds 8-bit products with few bits
    "approximate": {**_POINTWISE, "float32": (1e-3, 1e-4)},                                 # hardware's fast functions
}


def tolerance(name, dtype):
    return TOLERANCES[name].get(dtype, (0.0, 0.0))
