#!/usr/bin/env python3
"""The figures of scripts/measure_verify.sh."""
import json
import os
import pathlib
import sys
import tempfile

from process_tree import Taken, load

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
ROW_TASKS = ("softmax", "layernorm", "rmsnorm", "relu_bias", "cross_entropy")
ROUNDS = 3
ROWS = 60


def told(name, taken, of=1):
    rate = f", {of / taken.wall:.1f} a second" if of > 1 else ""
    print(f"{name:60} {taken.wall:7.2f} s{rate}; {taken.cpu:.1f} s of processor time, exit {taken.code}", flush=True)
    if taken.code not in (0, 1):
        print(taken.output)


def line(name, number):
    """A candidate whose verdict is not known yet: one comment differs, in its kernel."""
    code = (EXAMPLES / "kernels" / f"{name}.py").read_text()
    code = code.replace("@triton.jit\n", f"# version {number}\n@triton.jit\n", 1).replace(":\n    row = ", f":  # {number}\n    row = ", 1)
    return json.dumps({"id": f"{name}-{number}", "task": str(EXAMPLES / "tasks" / f"{name}.py"), "code": code})


def batch(command, folder, names, count):
    given = folder / "in.jsonl"
    given.write_text("".join(line(names[i % len(names)], i) + "\n" for i in range(count)))
    taken = Taken([*command, "--batch", given, "--out", folder / "out.jsonl", "--overwrite", "--cache", folder / "cache"])
    kinds = {}
    for answer in (folder / "out.jsonl").read_text().splitlines():
        verdict = json.loads(answer)
        kind = verdict.get("verdict", verdict).get("kind", "?")
        kinds[kind] = kinds.get(kind, 0) + 1
    return taken, kinds


def main():
    command = [str(pathlib.Path(sys.argv[1]) / "tritonrl"), "verify"]
    one = [*command, EXAMPLES / "kernels" / "softmax.py", "--task", EXAMPLES / "tasks" / "softmax.py"]
    names = sorted(path.stem for path in (EXAMPLES / "kernels").glob("*.py"))
    print(load())
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        told("one verify, nothing kept", Taken([*one, "--no-cache"]))
        os.environ["XDG_RUNTIME_DIR"] = str(folder)
        told("the first with --warm 1", Taken([*one, "--no-cache", "--warm", "1"]))
        told("the next with --warm 1", Taken([*one, "--no-cache", "--warm", "1"]))
        taken, kinds = batch(command, folder, names, ROUNDS * len(names))
        told(f"{ROUNDS * len(names)}: the examples {ROUNDS} times, one comment changed", taken, ROUNDS * len(names))
        print(f"  {kinds}")
        taken, kinds = batch(command, folder, ROW_TASKS, ROWS)
        told(f"{ROWS} of pointwise and row tasks, compilations known", taken, ROWS)
        print(f"  {kinds}")
    print(load())


main()
