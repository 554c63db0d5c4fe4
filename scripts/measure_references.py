"""Holds the modelled times of a folder of tasks against times measured on this GPU: tasks that the model was not fitted to.

usage: measure_references.py OUT.json FILE.py ... [--tritonrl build/release/tritonrl] [--limit 300]

Measures as measure_pairs.py does (or takes OUT.json from an earlier run, on a machine without a GPU), asks `tritonrl record` for the
modelled times, and prints how well they agree.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import measure_pairs


def measure(path, timer, folder):
    import torch
    task = measure_pairs.load(path.read_text(), "task_" + re.sub(r"\W", "_", path.stem), folder)
    with torch.device("cuda"):  # inputs born on the GPU: on the CPU they take ten seconds a task
        model = task.Model(*task.get_init_inputs()).cuda()
        inputs = [measure_pairs.to_device(x) for x in task.get_inputs()]
    with torch.no_grad():
        return timer.microseconds(lambda: model(*inputs))[0]


def measure_all(paths, limit):
    import torch
    timer, measured, end = measure_pairs.Timer(), {}, time.time() + limit
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            if time.time() > end:
                print(f"stopped after {len(measured)} tasks: out of time", file=sys.stderr)
                break
            try:
                measured[path.name] = measure(path, timer, folder)
            except Exception as error:
                print(f"{path.name}: {type(error).__name__}: {str(error).splitlines()[0][:120]}", file=sys.stderr)
            torch.cuda.empty_cache()
    return measured


def modelled(paths, program):
    """Microseconds by file name, from the table that `tritonrl record` prints."""
    if not paths or not pathlib.Path(program).exists():
        return {}
    table = subprocess.run([program, "record", *map(str, paths)], capture_output=True, text=True).stdout.splitlines()
    times = {}
    for line in table[1:]:
        words = line.split()
        if len(words) > 8 and words[0].endswith(".py") and words[-1].isdigit():
            times[words[0]] = float(words[-4])  # … modelled us, questions, ms, MiB
    return times


def rank_correlation(pairs):
    def ranks(values):
        order = sorted(range(len(values)), key=values.__getitem__)
        out = [0] * len(values)
        for rank, i in enumerate(order):
            out[i] = rank
        return out
    a, b = (ranks([p[i] for p in pairs]) for i in (0, 1))
    n = len(pairs)
    return 1 - 6 * sum((x - y) ** 2 for x, y in zip(a, b)) / (n * (n * n - 1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("tasks", nargs="+", type=pathlib.Path)
    parser.add_argument("--tritonrl", default="build/release/tritonrl")
    parser.add_argument("--limit", type=float, default=300, help="seconds for all measurements")
    options = parser.parse_args()
    if options.out.exists():
        measured = json.loads(options.out.read_text())
    else:
        measured = measure_all(options.tasks, options.limit)
        options.out.write_text(json.dumps(measured, indent=1))
    expected = modelled([p for p in options.tasks if p.name in measured], options.tritonrl)
    both = [(expected[name], measured[name]) for name in expected if name in measured]
    for name, (a, b) in sorted(zip(expected, both), key=lambda row: row[1][0] / row[1][1]):
        if not 0.5 < a / b < 2:
            print(f"{name}: modelled {a:.1f} us, measured {b:.1f} us")
    if not both:
        return print(f"{len(measured)} measured, none modelled: {options.tritonrl} is not there")
    factors = sorted(max(a / b, b / a) for a, b in both)
    print(f"{len(both)} references, rank correlation {rank_correlation(both):.3f}, median factor {factors[len(factors) // 2]:.2f}, "
          f"nine tenths within {factors[len(factors) * 9 // 10]:.2f}")


if __name__ == "__main__":
    main()
