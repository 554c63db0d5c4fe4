"""How far a result is from what was expected."""
import numpy as np

from . import element_types as types


def worst(raw, expected, dtype, limits):
    """The largest error as a multiple of what is allowed: at most 1 is equal. Infinite where only one side is NaN."""
    a = types.decode(raw, dtype)
    b = types.decode(expected, dtype)
    if not types.is_floating(dtype):
        return 0.0 if np.array_equal(a, b) else float("inf")
    a, b = a.astype(np.float64), b.astype(np.float64)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(a - b)
        allowed = limits[1] + limits[0] * np.abs(b)
        ratio = np.where(same, 0.0, np.where(np.isfinite(error) & (allowed > 0), error / np.maximum(allowed, 1e-300), np.inf))
    return float(ratio.max()) if ratio.size else 0.0
