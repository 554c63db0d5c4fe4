#!/usr/bin/env python3
"""Candidates that want our time or memory instead of a verdict (tests/judge/denial): what each takes, whether it stays in the budget,
and how much longer a batch of honest ones takes with twenty of them among it.

    scripts/measure_denial.py [BUILD] [--only NAME ...] [--honest 100] [--no-alone] [--no-batch]

Each alone is judged by a process of its own. Memory is that of the judge's own process: those of the candidate have their own limits.
"""
import argparse
import json
import pathlib
import tempfile

from process_tree import Taken, load

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "judge" / "denial"
EXAMPLES = ROOT / "examples"
BUDGET_S = 120  # candidate_ms
START_S = 12  # of a judge, on a busy machine
BUDGET_MIB = 1024
DENIALS = 20
HONEST = ("softmax", "layernorm", "rmsnorm", "relu_bias", "cross_entropy", "swiglu", "matmul_gelu", "attention", "conv_bn_relu", "gru_head")


def alone(build, names):
    inside = 0
    print(f"{'candidate':24} {'kind':15} {'wall':>7} {'cpu':>7} {'memory':>9}  message")
    for name in names:
        taken = Taken([build / "tritonrl", "verify", FOLDER / "candidates" / f"{name}.py", "--task", FOLDER / "task.py", "--no-cache", "--json"])
        try:
            verdict = json.loads(taken.output.strip().splitlines()[-1])
        except (ValueError, IndexError):
            verdict = {"kind": "none", "message": taken.output[-200:]}
        keeps = taken.wall <= BUDGET_S + START_S and taken.peak_mib <= BUDGET_MIB and verdict["kind"] not in ("none", "infrastructure")
        inside += keeps
        print(f"{name:24} {verdict['kind']:15} {taken.wall:6.1f}s {taken.cpu:6.1f}s {taken.peak_mib:6.0f}MiB  "
              f"{'' if keeps else 'OVER THE BUDGET '}{verdict.get('stage', '')}: {verdict.get('message', '')[:110]}", flush=True)
    print(f"{inside} of {len(names)} stay within {BUDGET_S} s and {BUDGET_MIB} MiB")
    return inside == len(names)


def honest_lines(count):
    out = []
    for i in range(count):
        name = HONEST[i % len(HONEST)]
        code = (EXAMPLES / "kernels" / f"{name}.py").read_text() + f"\n# version {i}\n"
        out.append({"id": f"{name}-{i}", "task": str(EXAMPLES / "tasks" / f"{name}.py"), "code": code})
    return out


def batch(build, folder, name, lines):
    given, answers = folder / f"{name}.jsonl", folder / f"{name}.out.jsonl"
    given.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return Taken([build / "tritonrl", "verify", "--batch", given, "--out", answers, "--cache", folder / f"{name}.cache"])


def together(build, names, count):
    honest = honest_lines(count)
    mixed = list(honest)
    few = min(DENIALS, len(names))
    for i, name in enumerate(names[i * len(names) // few] for i in range(few)):  # of all kinds
        code = (FOLDER / "candidates" / f"{name}.py").read_text()
        mixed.insert(i * (count // DENIALS + 1), {"id": name, "task": str(FOLDER / "task.py"), "code": code})
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        without = batch(build, folder, "honest", honest)
        given = batch(build, folder, "mixed", mixed)
    print(f"{count} honest ones alone {without.wall:.0f} s ({without.cpu:.0f} s of processor time), with {few} denials "
          f"{given.wall:.0f} s ({given.cpu:.0f} s): {given.wall / without.wall:.2f} times as long; "
          f"memory of the judge {without.peak_mib:.0f} and {given.peak_mib:.0f} MiB")
    return given.wall <= 2 * without.wall


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?", default="build/release", type=pathlib.Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--honest", type=int, default=100)
    parser.add_argument("--no-alone", action="store_true")
    parser.add_argument("--no-batch", action="store_true")
    options = parser.parse_args()
    every = sorted(path.stem for path in (FOLDER / "candidates").glob("*.py"))
    print(load())
    good = options.no_alone or alone(options.build, options.only or every)
    if not options.no_batch:
        good = together(options.build, options.only or every, options.honest) and good
    return 0 if good else 1


raise SystemExit(main())
