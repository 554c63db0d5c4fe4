#!/usr/bin/env python3
"""Writes down what a build does, so that two builds can be compared byte for byte.

    scripts/snapshot_behaviour.py take BUILD FOLDER     # verdicts, generated pairs and prepared files of BUILD/tritonrl
    scripts/snapshot_behaviour.py compare FOLDER FOLDER # exit code 1 and the first differences where they are not equal

Verdicts: every cheat and honest control of the adversarial suite, the corpus of candidates, the examples and 200 generated pairs, with a
fixed seed and without a cache; `ms`, the times that stages took, is left out. Pairs: 3,000 of seed 81. Prepared: made-up rows in
KernelBook's schema, and the examples' tasks as modules."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GENERATE = ["--seed", "81", "--policy", "both", "--variants", "both"]


def candidates(pairs):
    suite = ROOT / "tests/judge/adversarial"
    cases = json.loads((suite / "cases.json").read_text())
    for folder, rows in (("cheats", cases["cheats"]), ("honest", cases["honest"])):
        for row in rows:
            yield f"{folder}/{row['file']}", suite / "tasks" / row["task"], (suite / folder / row["file"]).read_text(), row.get("entry_point")
    for task in sorted((ROOT / "tests/python/corpus").glob("*.task.py")):
        yield f"corpus/{task.name}", task, task.with_name(task.name.replace(".task.", ".candidate.")).read_text(), None
    for task in sorted((ROOT / "examples/tasks").glob("*.py")):
        yield f"examples/{task.name}", task, (ROOT / "examples/kernels" / task.name).read_text(), None
    for line in pairs:
        row = json.loads(line)
        yield f"pairs/{row['id']}", row["pytorch_code"], row["output"], row.get("entry_point")


def verdicts(program, pairs, folder, scratch):
    rows = []
    for name, task, code, entry_point in candidates(pairs):
        row = {"id": name, "task": str(task)}
        row["answer" if name.startswith("pairs/") else "code"] = code
        if entry_point:
            row["entry_point"] = entry_point
        rows.append(json.dumps(row))
    (scratch / "batch.jsonl").write_text("\n".join(rows) + "\n")
    out = scratch / "verdicts.jsonl"
    run([program, "verify", "--batch", scratch / "batch.jsonl", "--out", out, "--seed", "7", "--no-cache"])
    with open(folder / "verdicts.jsonl", "w") as kept:
        for line in out.read_text().splitlines():
            row = json.loads(line)
            row.get("verdict", {}).pop("ms", None)
            kept.write(json.dumps(row) + "\n")


def run(command):
    print("+", " ".join(str(c) for c in command), file=sys.stderr)
    subprocess.run([str(c) for c in command], check=True, cwd=ROOT)


def take(build, folder):
    program = pathlib.Path(build).resolve() / "tritonrl"
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        run([program, "prepare", "--generate", "3000", *GENERATE, "--out", folder / "generated", "--quiet"])
        run([sys.executable, ROOT / "scripts/make_synthetic_kernelbook.py", scratch / "rows.jsonl", "--rows", "400", "--format", "jsonl"])
        run([program, "prepare", scratch / "rows.jsonl", "--labels", "text", "--out", folder / "rows", "--quiet"])
        run([program, "prepare", ROOT / "examples/tasks", "--out", folder / "tasks", "--prompt", "plan", "--quiet"])
        pairs = (folder / "generated/sft_train.jsonl").read_text().splitlines()[:200]
        verdicts(program, pairs, folder, scratch)


def files_of(folder):
    return {os.path.relpath(os.path.join(at, f), folder): os.path.join(at, f) for at, _, names in os.walk(folder) for f in names}


def compare(before, after):
    old, new = files_of(before), files_of(after)
    faults = [f"only in one: {name}" for name in sorted(old.keys() ^ new.keys())]
    for name in sorted(old.keys() & new.keys()):
        a, b = pathlib.Path(old[name]).read_bytes().splitlines(), pathlib.Path(new[name]).read_bytes().splitlines()
        differing = [i for i in range(max(len(a), len(b))) if a[i : i + 1] != b[i : i + 1]]
        print(f"{name}: {len(b)} lines, {len(differing)} differ")
        faults += [f"{name}:{i + 1}\n  - {a[i][:1500] if i < len(a) else b''}\n  + {b[i][:1500] if i < len(b) else b''}" for i in differing[:8]]
    print("\n".join(faults) or "equal")
    return 1 if faults else 0


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
actions = parser.add_subparsers(dest="action", required=True)
for action in (actions.add_parser("take"), actions.add_parser("compare")):
    action.add_argument("first")
    action.add_argument("second")
arguments = parser.parse_args()
sys.exit(take(arguments.first, arguments.second) if arguments.action == "take" else compare(arguments.first, arguments.second))
