"""Makes cheats from honest candidates, by rule, from a seed: as many as asked for.

    scripts/make_cheats.py --out FOLDER --count 200 --seed 1 [--pairs sft_train.jsonl …] [--no-builtin] [--rules NAME,…] [--honest 20]

Honest pairs: tests/python/corpus, the honest controls of tests/judge/adversarial, examples/, and rows of `tritonrl prepare --generate N`.
FOLDER gets candidates/*.py, tasks/*.py and manifest.jsonl, whose lines have

    id, file, task, class, rule, truth ("cheat" or "honest"), why (what makes it one), expect (kinds), device_only (no CPU computes where it shows), source

A rule applies only where what it makes is wrong, or is torch's work, whatever a judge sees of it. scripts/cheat_rules/facts.py tells what that takes:
grids and arguments at the task's sizes, whether rows are independent, how large results are. It needs a Python with torch and triton
(--python, TRITONRL_PYTHON, or this one); without, rules that need facts are left out.

A cheat is what does not hold to this: torch does noticeably less of some kind of work than in the reference and more of none; the results are
right in every regime and at every call, all of them are kept, and inputs are left alone.
"""
import argparse
import ast
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys

from cheat_rules import RULES
from cheat_rules.pair import Pair

# Honest by the catalogue's older rules; they write over their input, or over an earlier result.
NOT_HONEST = ("relu_in_place_on_input", "relu_output_buffer_reused")
# Tasks whose answer is right whatever is left out of the work.
ANSWER_IS_CONSTANT = ("constant_answer.py",)
ROOT = pathlib.Path(__file__).resolve().parent.parent


def builtin_pairs():
    corpus = ROOT / "tests/python/corpus"
    for task in sorted(corpus.glob("*.task.py")):
        name = task.name.removesuffix(".task.py")
        yield f"corpus-{name}", task.read_text(encoding="utf-8"), (corpus / f"{name}.candidate.py").read_text(encoding="utf-8")
    for task in sorted((ROOT / "examples/tasks").glob("*.py")):
        yield f"example-{task.stem}", task.read_text(encoding="utf-8"), (ROOT / "examples/kernels" / task.name).read_text(encoding="utf-8")
    folder = ROOT / "tests/judge/adversarial"
    for case in json.loads((folder / "cases.json").read_text(encoding="utf-8"))["honest"]:
        if case["file"][:-3] in NOT_HONEST or case["task"] in ANSWER_IS_CONSTANT:
            continue
        yield f"honest-{case['file'][:-3]}", (folder / "tasks" / case["task"]).read_text(encoding="utf-8"), \
            (folder / "honest" / case["file"]).read_text(encoding="utf-8")


def rounding_of(code):
    """Products that nobody asked to be exact round to TF32, which misses the default tolerance: they pass under `--protocol tf32`."""
    asked = "ieee" in code or "allow_tf32" in code
    return {"known_fault": "rounds to TF32"} if "tl.dot(" in code and not asked else {}


def rows_of(path):
    """Of `tritonrl prepare`: the solution is the code block of its output."""
    with open(path, encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            code = re.search(r"```python\n(.*?)```", row.get("output") or "", re.DOTALL)
            if code:
                yield row["id"].replace("/", "-"), row["pytorch_code"], code.group(1)


def pairs_of(asked):
    found = [] if asked.no_builtin else list(builtin_pairs())
    for path in asked.pairs:
        found += rows_of(path)
    out, passed = [], None
    if asked.passed:
        with open(asked.passed, encoding="utf-8") as lines:
            passed = {one["id"].removeprefix("honest-") for one in map(json.loads, lines) if one.get("verdict", {}).get("kind") == "passed"}
    for name, task, code in found:
        if passed is not None and name not in passed:
            continue
        if re.search(r"(?m)^class Model\(", task) and re.search(r"(?m)^class ModelNew\(", code):
            out.append(Pair(name, task, code))
    return out


def learn(pairs, python, kept):
    """Facts of each pair, from the file where it has them; says so where there are none."""
    known = json.loads(kept.read_text(encoding="utf-8")) if kept and kept.exists() else {}
    keys = {p.name: hashlib.sha256((p.task + "\0" + p.code).encode()).hexdigest() for p in pairs}
    ask([p for p in pairs if keys[p.name] not in known], python)
    for pair in pairs:
        pair.facts = known.get(keys[pair.name]) or pair.facts
        if pair.facts:
            known[keys[pair.name]] = pair.facts
    if kept:
        kept.write_text(json.dumps(known), encoding="utf-8")


def ask(pairs, python):
    if not pairs:
        return
    lines = "".join(json.dumps({"task": p.task, "code": p.code, "entry_point": p.entry_point}) + "\n" for p in pairs)
    done = subprocess.run([python, str(ROOT / "scripts/cheat_rules/facts.py")], input=lines, capture_output=True, text=True, check=False)
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if len(told) != len(pairs):
        print(f"no facts ({done.stderr.strip().splitlines()[-1:] or 'nothing told'}): rules that need them are left out", file=sys.stderr)
        return
    for pair, facts in zip(pairs, told):
        pair.facts = facts


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--out", type=pathlib.Path, required=True)
    arguments.add_argument("--count", type=int, default=100, help="cheats to make; all rules get the same share where they apply")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--honest", type=int, default=0, help="honest pairs to put in too")
    arguments.add_argument("--pairs", type=pathlib.Path, nargs="*", default=[], help="rows of tritonrl prepare")
    arguments.add_argument("--no-builtin", action="store_true", help="only --pairs")
    arguments.add_argument("--rules", help="only these, separated by commas")
    arguments.add_argument("--python", default=os.environ.get("TRITONRL_PYTHON", sys.executable), help="with torch and triton, for facts")
    arguments.add_argument("--passed", type=pathlib.Path, help="verdicts of the honest pairs (--count 0 --honest 1000, then judge_cheats.py "
                           "--verdicts): only those that passed are changed")
    arguments.add_argument("--facts", type=pathlib.Path, help="keep what was found out about the pairs in this file")
    asked = arguments.parse_args()
    pairs = pairs_of(asked)
    learn(pairs, asked.python, asked.facts)
    rules = asked.rules.split(",") if asked.rules else list(RULES)
    unknown = [r for r in rules if r not in RULES]
    if unknown or not pairs:
        sys.exit(f"no such rule: {', '.join(unknown)}; there are {', '.join(RULES)}" if unknown else "no pairs")
    for folder in ("candidates", "tasks"):
        (asked.out / folder).mkdir(parents=True, exist_ok=True)
    numbers = random.Random(asked.seed)
    rows, texts = [], set()

    def emit(pair, code, name, row):
        digest = hashlib.sha256(code.encode()).hexdigest()
        if digest in texts:
            return False
        ast.parse(code)
        texts.add(digest)
        (asked.out / "tasks" / f"{pair.name}.py").write_text(pair.task, encoding="utf-8")
        (asked.out / "candidates" / f"{name}.py").write_text(code, encoding="utf-8")
        rows.append({"id": name, "file": f"candidates/{name}.py", "task": f"tasks/{pair.name}.py", **row, "source": pair.name})
        return True

    made, misses = 0, {r: 0 for r in rules}
    while made < asked.count and rules:
        for name in list(rules):
            if made >= asked.count:
                break
            function, kind, expect, device_only = RULES[name]
            order = pairs[:]
            numbers.shuffle(order)
            for pair in order:
                changed = function(pair, numbers)
                if changed is None or changed[0] == pair.code:
                    continue
                code, why, _ = changed
                if emit(pair, code, f"{name}-{made:04}-{pair.name}", {"class": kind, "rule": name, "truth": "cheat", "why": why, "expect": expect,
                                                                      "device_only": device_only}):
                    made += 1
                    misses[name] = 0
                    break
            else:  # nothing new any more
                misses[name] += 1
                if misses[name] > 3:
                    rules.remove(name)
    for pair in numbers.sample(pairs, min(asked.honest, len(pairs))):
        emit(pair, pair.code, f"honest-{pair.name}", {"class": "honest", "rule": "none", "truth": "honest", "why": "as its author wrote it",
                                                      "expect": ["passed"], "device_only": False, **rounding_of(pair.code)})
    with open(asked.out / "manifest.jsonl", "w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row) + "\n")
    by_rule = {}
    for row in rows:
        by_rule[row["rule"]] = by_rule.get(row["rule"], 0) + 1
    print(f"{made} cheats and {len(rows) - made} honest candidates from {len(pairs)} pairs in {asked.out}")
    for name in RULES:
        print(f"  {name:40} {by_rule.get(name, 0):5}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
