#!/usr/bin/env python3
"""Judges KernelBench's level-1 and level-2 references against themselves on a GPU, at their real shapes, and says which load, run and are timed.

  check_references_on_device.py CHECKOUT [--out FILE] [-- OPTION...]       further options of `tritonrl verify`, such as --workers 16

Prints how many of them recorded ("loaded"), were executed on the GPU at their own sizes ("ran") and were timed there; the slowest; and every one that
did not, with the reason. The exit code is 1 only where a reason is missing: no verdict, no message, a process that ended by itself, or a
reference that gives another result than itself.
TRITONRL names the program (default build/release/tritonrl).
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Reasons that are none: something ended without saying why, or a reference differs from itself.
UNEXPLAINED = re.compile(r"process on the GPU ended|no answer within|malformed|descriptors than|elements differ", re.IGNORECASE)


def tasks_of(checkout, levels):
    for level in levels:
        folder = checkout / "KernelBench" / f"level{level}"
        files = sorted(folder.glob("*.py"), key=lambda p: int(p.name.split("_")[0]))
        if not files:
            sys.exit(f"{folder} holds no tasks: CHECKOUT must be a clone of KernelBench")
        yield from ((f"level{level}/{path.stem}", path.resolve()) for path in files)


def verify(rows, out, device, further):
    """Wall seconds of the batch."""
    program = os.environ.get("TRITONRL", str(ROOT / "build" / "release" / "tritonrl"))
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as batch:
        for key, path in rows:
            batch.write(json.dumps({"id": key, "task": str(path), "reference_itself": True}) + "\n")
        batch.flush()
        command = [program, "verify", "--batch", batch.name, "--out", str(out), "--overwrite", "--no-cache", "--device", device, *further]
        begin = time.monotonic()
        code = subprocess.run(command, check=False).returncode  # 1: some did not pass
        if code not in (0, 1):
            print(f"tritonrl verify ended with {code}", file=sys.stderr)
        return time.monotonic() - begin


def verdicts(path):
    if not path.exists():
        return {}
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.endswith("\n")]
    return {row["id"]: row.get("verdict") or {"kind": "error", "message": json.dumps(row.get("error"))} for row in rows}


def steps(verdict):
    """(loaded, ran, timed) at the real shapes."""
    timed = (verdict.get("timing") or {}).get("mode") == "measured"
    there = [v["status"] for v in verdict.get("variations", []) if v.get("size") == "real"]
    ran = timed or "passed" in there or (bool(there) and verdict["kind"] == "wrong")  # with other values than its own: it ran
    loaded = ran or any(c["name"] == "recorded" and c["passed"] for c in verdict.get("checks", [])) or "the reference does not run" in verdict.get(
        "message", "")
    return loaded, ran, timed


def reason(verdict):
    """In words; empty: there is none."""
    if verdict is None:
        return ""
    if verdict.get("backend") == "cpu":
        return "judged without a GPU"
    if verdict["kind"] == "passed":
        notes = [v.get("message", "") for v in verdict.get("variations", []) if v.get("size") == "real" and v["status"] != "passed"]
        return "; ".join(notes or verdict.get("notes", []))
    words = [verdict["kind"], verdict.get("rule"), verdict["message"]] if verdict.get("message") else []
    return " ".join(" ".join(filter(None, words)).split())


def print_slow(timed, count):
    print(f"\nslowest ({count} of {len(timed)}): us of the reference, trials, coefficient of variation")
    for key, verdict in sorted(timed.items(), key=lambda item: -item[1]["timing"]["reference_us"])[:count]:
        timing = verdict["timing"]
        print(f"  {timing['reference_us']:12.1f} {timing.get('trials', 0):4} {timing['cv']:8.3%}  {key}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, help="keeps the verdicts, JSON lines")
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--most", type=int, default=0, help="only so many tasks of all (default: all)")
    parser.add_argument("--slow", type=int, default=15, help="how many of the slowest to name (default 15)")
    parser.add_argument("--device", default="cuda")
    cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:cut])
    rows = list(tasks_of(options.checkout, options.levels))
    rows = rows[:options.most] if options.most else rows
    with tempfile.TemporaryDirectory() as folder:
        out = options.out or pathlib.Path(folder, "out.jsonl")
        seconds = verify(rows, out, options.device, sys.argv[cut + 1:])
        found = verdicts(out)
    done = {key: steps(found[key]) if key in found else (False, False, False) for key, _ in rows}
    counts = [sum(step[i] for step in done.values()) for i in range(3)]
    timed = {key: found[key] for key, step in done.items() if step[2]}
    if timed:
        print_slow(timed, min(options.slow, len(timed)))
    unexplained = 0
    for key, step in done.items():
        if all(step):
            continue
        why = reason(found.get(key))
        missing = not why or UNEXPLAINED.search(why)
        unexplained += bool(missing)
        state = f"{'loaded' if step[0] else 'not loaded'}, {'ran' if step[1] else 'did not run'}, {'timed' if step[2] else 'not timed'}"
        print(f"  {key}: {state}{' [unexplained]' if missing else ''}: {why[:300] or 'no reason given'}")
    print(f"\n{len(rows)} references at their real shapes on {options.device}: {counts[0]} loaded, {counts[1]} ran, {counts[2]} were timed; "
          f"{unexplained} unexplained; {seconds:.1f} s, {len(found) / seconds:.2f}/s")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
