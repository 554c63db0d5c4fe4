#!/usr/bin/env python3
"""Writes tests/base/goldens/statistics.json: intervals, tests and estimates as scipy has them.

usage: make_statistics_goldens.py [OUT]     needs: pip install scipy
"""
import itertools
import json
import math
import pathlib
import sys

from scipy import stats

PAIRS = [(0, 0), (0, 1), (1, 0), (3, 3), (0, 5), (0, 6), (1, 9), (10, 25), (40, 61), (200, 260), (5000, 5200)]


def wilson(successes, trials):
    interval = stats.binomtest(successes, trials).proportion_ci(0.95, method="wilson")
    return {"successes": successes, "trials": trials, "low": float(interval.low), "high": float(interval.high)}


def mcnemar(first, second):
    p = stats.binomtest(first, first + second, 0.5).pvalue if first + second else 1.0
    return {"only_first": first, "only_second": second, "p": float(p)}


def pass_at_k(samples, correct, k):
    """One minus the chance that k answers, drawn without putting back, are all wrong."""
    value = 1 - stats.hypergeom(samples, correct, k).pmf(0)
    exact = 1 - math.comb(samples - correct, k) / math.comb(samples, k)
    assert abs(value - exact) < 1e-9
    return {"samples": samples, "correct": correct, "k": k, "value": exact}


def main():
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "tests/base/goldens/statistics.json")
    rates = [(s, n) for n in (1, 2, 10, 100, 150) for s in sorted({0, 1, n // 3, n // 2, n - 1, n})]
    estimates = [(n, c, k) for n, k in itertools.product((1, 2, 8, 10, 100), (1, 2, 5, 10, 100)) if k <= n
                 for c in sorted({0, 1, n // 2, n - 1, n})]
    values = [0.25, 0.5, 1.5, 2.0, 8.0, 1.0001]
    golden = {
        "wilson": [wilson(*rate) for rate in rates],
        "mcnemar": [mcnemar(*pair) for pair in PAIRS],
        "pass_at_k": [pass_at_k(*estimate) for estimate in estimates],
        "geometric_mean": {"values": values, "value": float(stats.gmean(values))},
    }
    out.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
