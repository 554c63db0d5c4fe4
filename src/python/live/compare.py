"""Whether outputs are right, by the rule of src/runner/device/device_compare.cpp, with the constants of src/runner/tolerance.h."""
import math

import torch

CHUNK = 1 << 26  # elements at a time: their doubles fit anywhere
SAMPLED = 1 << 22  # errors of which the median is taken
OWN_ERRORS, NOISE, USUAL_ERRORS, SAME_ERRORS = 32, 6e-8, 16, 4


def compare(expected, got, atol, rtol, truth=None):
    """`expected` on the device, `got` flat on the host; `truth`: the same in float64, or none."""
    want, have = _in_a_row(expected), torch.view_as_real(got).flatten() if got.is_complex() else got
    exact = None if truth is None else _in_a_row(truth)
    if exact is not None and want.numel():
        atol = _absolute_tolerance(want, exact, atol, rtol)
    out = {"wrong": 0, "first": -1, "max_error": 0.0, "expected": "", "got": ""}
    for begin in range(0, want.numel(), CHUNK):
        a = want[begin:begin + CHUNK].double()
        b = have[begin:begin + CHUNK].to(want.device).double()
        error = (a - b).abs()
        right = _same(a, b) | (a.isfinite() & (error <= a.abs() * rtol + atol))
        if exact is not None:
            t = exact[begin:begin + CHUNK].double()
            own = _finite((a - t).abs())
            right |= _same(t, b) | (t.isfinite() & ((t - b).abs() <= t.abs() * rtol + atol + own * SAME_ERRORS))
        out["max_error"] = max(out["max_error"], _finite(error).max().item())
        wrong = int((~right).sum().item())
        if wrong and out["first"] < 0:
            at = int((~right).int().argmax().item())
            out.update(first=begin + at, expected=f"{a[at].item():.9g}", got=f"{b[at].item():.9g}")
        out["wrong"] += wrong
    return out


def _absolute_tolerance(want, exact, named, rtol):
    largest = most = 0.0
    for begin in range(0, want.numel(), CHUNK):
        a = want[begin:begin + CHUNK].double()
        largest = max(largest, _finite(a.abs()).max().item())
        most = max(most, _finite((a - exact[begin:begin + CHUNK].double()).abs()).max().item())
    step = max(1, want.numel() // SAMPLED)
    some = want[::step].double()
    usual = _median((some - exact[::step].double()).abs())
    narrowed = min(named, max(named * largest, OWN_ERRORS * most, NOISE))
    # long sums that cancel leave a few outputs near zero, whose error is that of the terms: held against a typical output
    return max(narrowed, USUAL_ERRORS * usual, rtol * _median(some.abs()))


def _in_a_row(tensor):
    return (torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor).contiguous().flatten()


def _same(a, b):
    return (a == b) | (a.isnan() & b.isnan())


def _finite(values):
    return values.nan_to_num(0, 0, 0)


def _median(values):
    finite = values[values.isfinite()]
    return finite.sort().values[finite.numel() // 2].item() if finite.numel() else 0.0


def said(number):
    """JSON has no word for what is no number."""
    return number if math.isfinite(number) else None
