#!/usr/bin/env python3
"""A mixed set of candidates for KernelBench's tasks at their real shapes: half of them right, the others wrong, not compiling,
crashing or hanging. Right ones are the teacher's solutions; the others are small changes of them (mutations.py).

  tritonrl prepare --rewrite CHECKOUT/KernelBench/level1 CHECKOUT/KernelBench/level2 --out PAIRS
  make_candidates.py CHECKOUT --pairs PAIRS --out FOLDER [--count 240] [--sample 20] [--seed 1]

FOLDER/candidates.jsonl   {"id", "task", "code", "expected", "mutation", "group", "level", "input_bytes"} a line; `task` is relative to CHECKOUT
FOLDER/sample20.jsonl     20 of them, in the same proportions of groups and levels, those that hang last
The same arguments give the same files. Needs no GPU; with torch it knows how large each task's inputs are and spreads over them.
"""
import argparse
import ast
import collections
import json
import pathlib
import random
import re

from mutations import MUTATIONS, UNPARSABLE

# Parts of the whole, in percent. Few hang: every judge loses its whole time limit on those, and nothing else would be measured.
SHARES = {"right": 50, "wrong": 25, "compile": 10, "crash": 10, "hang": 5}
LEVELS = (1, 2)
HOST_ROUND_TRIPS = 4  # right, but slow: of the right ones


def json_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def write_json_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def code_of(answer):
    return re.search(r"```python\n(.*?)```", answer, re.DOTALL).group(1)


def meta_bytes(source):
    """Bytes of a task's inputs, from tensors without memory; None where that does not work."""
    try:
        import torch
        names = {}
        with torch.device("meta"):
            exec(compile(source, "task", "exec"), names)
            inputs = names["get_inputs"]()
        return sum(t.numel() * t.element_size() for t in inputs if isinstance(t, torch.Tensor))
    except Exception:
        return None


def read_tasks(checkout, pairs):
    """The teacher's solutions with their tasks. Left out are tasks whose answer cannot be checked: there a wrong candidate may pass
    and a right one fail, whoever judges."""
    flaws = {row["id"]: row.get("degenerate") for row in json_lines(pairs / "difficulty_labels.jsonl")}
    tasks = []
    for row in json_lines(pairs / "sft_test.jsonl"):
        level, name = row["id"].split("/")[-2:]
        file = pathlib.Path("KernelBench") / level / f"{name}.py"
        flaw = flaws.get(row["id"])
        if flaw and not flaw.startswith("at 1e-2"):
            continue
        tasks.append({"name": f"{level}/{name}", "level": int(level.removeprefix("level")), "file": str(file), "code": code_of(row["output"]),
                      "flawed": bool(flaw), "integers": "dtype=torch.int64" in row["output"],
                      "input_bytes": meta_bytes((checkout / file).read_text(encoding="utf-8"))})
    return sorted(tasks, key=lambda t: (t["input_bytes"] or 0, t["name"]))


def spread(items, count, random_source):
    """`count` of the items, evenly over their order, so that small and large ones occur; each again only when all were taken."""
    chosen = []
    while len(chosen) < count:
        wanted = min(count - len(chosen), len(items))
        start = random_source.random()
        chosen += [items[int((i + start) * len(items) / wanted)] for i in range(wanted)]
    return chosen


def suits(task, group):
    # A value that is off by one percent is wrong only where values matter, and a rounded index may be the same index.
    return group != "wrong" or not (task["flawed"] or task["integers"])


def candidate(task, group, mutation, code):
    name, expected, _ = mutation
    return {"id": f"{task['name']}/{name}", "task": task["file"], "code": code, "expected": expected, "mutation": name, "group": group,
            "level": task["level"], "input_bytes": task["input_bytes"]}


def mutated(tasks, group, count, random_source):
    """`count` candidates of one group and level, the group's mutations in turn."""
    made, seen = [], set()
    mutations = MUTATIONS[group]
    shift = random_source.randrange(len(mutations))
    queue = collections.deque(spread([t for t in tasks if suits(t, group)], 4 * count, random_source))
    while len(made) < count:
        task = queue.popleft()
        mutation = mutations[(len(made) + shift) % len(mutations)]
        code = mutation[2](task["code"])
        row = code and candidate(task, group, mutation, code)
        if row and row["id"] not in seen:
            seen.add(row["id"])
            made.append(row)
        else:
            queue.append(task)  # for another mutation
    return made


def right_ones(tasks, count, random_source):
    plain, slow = MUTATIONS["right"]
    chosen = spread(tasks, count, random_source)
    slow_ones = set(random_source.sample(range(count), HOST_ROUND_TRIPS // len(LEVELS)))
    rows = []
    for i, task in enumerate(chosen):
        mutation = slow if i in slow_ones else plain
        rows.append(candidate(task, "right", mutation, mutation[2](task["code"])))
    return rows


def make_all(tasks, count, random_source):
    rows = []
    for group, share in SHARES.items():
        for level in LEVELS:
            of_level = [t for t in tasks if t["level"] == level]
            wanted = round(count * share / 100 / len(LEVELS))
            make = right_ones if group == "right" else lambda t, n, r, g=group: mutated(t, g, n, r)
            rows += make(of_level, wanted, random_source)
    random_source.shuffle(rows)  # a judge's batch is mixed
    return rows


def sample(rows, count, random_source):
    """Groups and levels in the proportions of the whole, small and large inputs, mutations as different as possible. The order is
    random, so that the beginning stands for the whole where time runs out, but those that hang come last: one of them costs minutes."""
    chosen = []
    for index, (group, share) in enumerate(SHARES.items()):
        wanted = max(1, round(count * share / 100))
        by_level = [wanted // 2, wanted // 2]
        by_level[index % 2] += wanted % 2
        for level, of_level in zip(LEVELS, by_level):
            chosen += one_of_each_size([r for r in rows if r["group"] == group and r["level"] == level], of_level, group, chosen)
    random_source.shuffle(chosen)
    return sorted(chosen, key=lambda r: r["group"] == "hang")


def one_of_each_size(rows, count, group, chosen):
    """The rows in `count` classes by the size of their inputs; of each the most typical one, with a mutation that was not taken yet."""
    taken = collections.Counter(r["mutation"] for r in chosen)
    order = [name for name, _, _ in MUTATIONS[group]]
    rows = sorted(rows, key=lambda r: (r["input_bytes"] or 0, r["id"]))
    picked = []
    for place in range(count):
        part = rows[place * len(rows) // count:(place + 1) * len(rows) // count]
        middle = len(part) // 2
        typical = sorted(part, key=lambda r: abs(part.index(r) - middle))
        if group == "right":
            best = next(r for r in typical if r["mutation"] == "none")
        else:
            best = min(typical, key=lambda r: (taken[r["mutation"]], order.index(r["mutation"])))
        taken[best["mutation"]] += 1
        picked.append(best)
    return picked


def parses(code):
    try:
        ast.parse(code)
        return True
    except SyntaxError:
        return False


def check(rows, originals):
    """What a broken mutation would do unnoticed: change nothing, or break more than it means to."""
    assert len({r["id"] for r in rows}) == len(rows), "ids repeat"
    for row in rows:
        assert parses(row["code"]) == (row["mutation"] not in UNPARSABLE), f"{row['id']}: parses, or does not, against its purpose"
        assert (row["code"] == originals[row["task"]]) == (row["mutation"] == "none"), f"{row['id']}: the text must differ"


def print_table(title, rows):
    print(f"{title}: {len(rows)}")
    groups = collections.Counter((r["group"], r["level"]) for r in rows)
    for group in SHARES:
        names = collections.Counter(r["mutation"] for r in rows if r["group"] == group)
        print(f"  {group:8} level 1 {groups[group, 1]:4}  level 2 {groups[group, 2]:4}  " + ", ".join(f"{n} {c}" for n, c in names.items()))
    sizes = sorted(r["input_bytes"] for r in rows if r["input_bytes"])
    if sizes:
        at = [sizes[int(q * (len(sizes) - 1))] / 2**20 for q in (0, 0.25, 0.5, 0.75, 1)]
        print("  inputs, MiB: smallest {:.3g}, quartiles {:.3g} {:.3g} {:.3g}, largest {:.3g}".format(*at))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("checkout", type=pathlib.Path)
    options.add_argument("--pairs", type=pathlib.Path, required=True)
    options.add_argument("--out", type=pathlib.Path, required=True)
    options.add_argument("--count", type=int, default=240)
    options.add_argument("--sample", type=int, default=20)
    options.add_argument("--seed", type=int, default=1)
    arguments = options.parse_args()

    random_source = random.Random(arguments.seed)
    tasks = read_tasks(arguments.checkout, arguments.pairs)
    rows = make_all(tasks, arguments.count, random_source)
    check(rows, {t["file"]: t["code"] for t in tasks})
    some = sample(rows, arguments.sample, random_source)
    arguments.out.mkdir(parents=True, exist_ok=True)
    write_json_lines(arguments.out / "candidates.jsonl", rows)
    write_json_lines(arguments.out / f"sample{arguments.sample}.jsonl", some)
    print_table("candidates", rows)
    print_table("sample", some)


if __name__ == "__main__":
    main()
