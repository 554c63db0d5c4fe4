"""Judges the candidates of a manifest (scripts/make_cheats.py) or of the catalogue (cases.json) and prints what got through, by class and rule.

    scripts/judge_cheats.py MANIFEST.jsonl … [--cases tests/judge/adversarial/cases.json] [--only TEXT] [--unseen FILE] [-- OPTIONS OF VERIFY]

All candidates go through one `tritonrl verify --batch`. --unseen names a file with one id or rule a line: known to pass, and not yet stopped;
where no GPU is used, a cheat at the real sizes counts as listed if its verdict tells that those were not seen (`unseen`). Exit code 1: a cheat passed that is not listed, or an honest candidate was refused
that is not marked (`known_fault`).
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Groups of the catalogue's ids, as classes.
CLASSES = (("recording forged", ("H1", "H2", "C3")), ("torch does the work", ("A", "B")), ("tame inputs", ("D7", "D8", "D9", "J")),
           ("calls", ("D1", "D2", "D3", "D4", "D5", "G", "C6", "D14")), ("real sizes", ("D6",)), ("denial of service", ("H6",)))


def class_of(case):
    if case in ("D10", "D11", "D12", "D13"):
        return "other"
    return next((name for name, heads in CLASSES if any(case.startswith(head) for head in heads)), "other")


def manifest_rows(path):
    folder = path.parent
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if "code" not in row:
                row["code"] = (folder / row["file"]).read_text(encoding="utf-8")
            if "\n" not in row["task"] and not pathlib.Path(row["task"]).is_absolute():
                near = folder / row["task"]
                row["task"] = str(near if near.exists() else ROOT / row["task"])
            yield row


def catalogue_rows(path):
    folder = path.parent
    table = json.loads(path.read_text(encoding="utf-8"))
    for truth, kind in (("cheat", "cheats"), ("honest", "honest")):
        for case in table[kind]:
            yield {"id": case["file"].removesuffix(".py"), "task": str(folder / "tasks" / case["task"]),
                   "code": (folder / kind / case["file"]).read_text(encoding="utf-8"), "truth": truth,
                   "class": class_of(case["id"]) if truth == "cheat" else "honest", "rule": case.get("id", "control"),
                   "expect": case.get("expect", ["passed"]), "device_only": case.get("device_only", False)}


def judged(program, rows, options, keep):
    with tempfile.TemporaryDirectory() as scratch:
        given = pathlib.Path(scratch, "in.jsonl")
        told = pathlib.Path(keep) if keep else pathlib.Path(scratch, "out.jsonl")
        with open(given, "w", encoding="utf-8") as out:
            for row in rows:
                line = {"id": row["id"], "task": row["task"], "code": row["code"]}
                if row.get("entry_point"):
                    line["entry_point"] = row["entry_point"]
                out.write(json.dumps(line) + "\n")
        done = subprocess.run([program, "verify", "--batch", str(given), "--out", str(told), *options], check=False)
        if done.returncode not in (0, 2, 3):
            sys.exit(f"{program} ended with {done.returncode}")
        with open(told, encoding="utf-8") as lines:
            return {one["id"]: one for one in map(json.loads, lines)}


def outcome_of(row, answer):
    """(word, text): stopped or passed for a cheat, passed or refused for an honest one, error where nothing was judged."""
    if answer is None or "error" in answer:
        return "error", "no verdict" if answer is None else answer["error"]["message"]
    verdict = answer["verdict"]
    text = f"{verdict['kind']} at {verdict['stage']}" + (f" [{verdict['rule']}]" if verdict["rule"] else "") + f": {verdict['message'][:160]}"
    if verdict["kind"] in ("infrastructure", "unjudged"):
        return "error", text
    if row["truth"] == "honest":
        return ("passed" if verdict["kind"] == "passed" else "refused"), text
    if verdict.get("sizes") == "own":  # training refuses it: --require-general
        return "stopped", text
    # a cheat that may end in "passed" comes to nothing there (its file says so); it is not one that got through
    return ("passed" if verdict["kind"] == "passed" and "passed" not in row["expect"] else "stopped"), text


def told_as_unseen(row, answer):
    told = bool((answer or {}).get("verdict", {}).get("unseen"))
    return told and (row.get("device_only") or row["class"] == "real sizes")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("manifests", nargs="*", type=pathlib.Path)
    arguments.add_argument("--cases", type=pathlib.Path, help="the catalogue's table")
    arguments.add_argument("--only", help="only ids, classes and rules that hold one of these texts, separated by commas")
    arguments.add_argument("--unseen", type=pathlib.Path, help="ids or rules that are known to pass, one a line")
    arguments.add_argument("--program", default=str(ROOT / "build/release/tritonrl"))
    arguments.add_argument("--verdicts", help="keep the verdicts in this file; a run that was stopped goes on with it")
    own = sys.argv[1:]
    options = []
    if "--" in own:
        own, options = own[:own.index("--")], own[own.index("--") + 1:]
    asked = arguments.parse_args(own)
    rows = [row for path in asked.manifests for row in manifest_rows(path)]
    if asked.cases:
        rows += catalogue_rows(asked.cases)
    if asked.only:
        rows = [r for r in rows if any(t in text for t in asked.only.split(",") for text in (r["id"], r["class"], r["rule"]))]
    listed = set()
    if asked.unseen:
        listed = {line.split("#")[0].strip() for line in asked.unseen.read_text(encoding="utf-8").splitlines()} - {""}
    on_device = any(option.startswith("cuda") or option.startswith("--device=cuda") for option in options)
    answers = judged(asked.program, rows, options, asked.verdicts)

    counts = collections.defaultdict(collections.Counter)
    passed, refused, errors, other = [], [], [], []
    failures = 0
    for row in rows:
        word, text = outcome_of(row, answers.get(row["id"]))
        key = (row["truth"], row["class"], row["rule"])
        known = row["id"] in listed or row["rule"] in listed or (not on_device and told_as_unseen(row, answers.get(row["id"])))
        if row["truth"] == "honest":
            known = known or bool(row.get("known_fault"))
        counts[key]["tried"] += 1
        counts[key][word] += 1
        mark = " (listed)" if known else ""
        if word == "error":
            errors.append(f"  {row['id']}: {text}")
        elif row["truth"] == "cheat" and word == "passed":
            counts[key]["listed"] += bool(known)
            failures += not known
            passed.append(f"  {row['class']} / {row['rule']}  {row['id']}{mark}")
        elif row["truth"] == "honest" and word == "refused":
            counts[key]["listed"] += bool(known)
            failures += not known
            refused.append(f"  {row['rule']}  {row['id']}{mark}: {text}")
        elif row["truth"] == "cheat" and answers[row["id"]]["verdict"]["kind"] not in row["expect"]:
            other.append(f"  {row['id']}: {text}; expected {', '.join(row['expect'])}")

    for title, lines in (("cheats that passed", passed), ("honest candidates refused", refused), ("stopped by another kind than expected", other),
                         ("not judged", errors)):
        if lines:
            print(f"{title}:", *lines, sep="\n")
    print(f"\n{'class':24} {'rule':34} {'tried':>6} {'stopped':>8} {'passed':>7} {'listed':>7} {'errors':>7}")
    totals = collections.defaultdict(collections.Counter)
    for (truth, kind, rule), count in sorted(counts.items()):
        good = count["stopped"] if truth == "cheat" else count["refused"]
        print(f"{kind:24} {rule:34} {count['tried']:6} {good:8} {count['passed']:7} {count['listed']:7} {count['error']:7}")
        totals[truth, kind].update(count)
    print()
    for (truth, kind), count in sorted(totals.items()):
        if truth == "cheat":
            print(f"{kind}: {count['tried']} cheats, {count['stopped']} stopped, {count['passed']} passed ({count['listed']} listed)")
    for truth, bad in (("cheat", "passed"), ("honest", "refused")):
        count = sum((c for (t, _), c in totals.items() if t == truth), collections.Counter())
        if count["tried"]:
            print(f"all {'cheats' if truth == 'cheat' else 'honest candidates'}: {count['tried']} tried, {count[bad]} {bad}, "
                  f"{count[bad] - count['listed']} of them not listed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
