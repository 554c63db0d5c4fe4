#!/usr/bin/env python3
"""Fast variants against canonical solutions of the same modules, and both against eager torch, as measured on a GPU.

    build/release/tests/write_pairs 200 61 strict=0.3 fast=0 real > canonical.jsonl          # the same modules
    build/release/tests/write_pairs 200 61 strict=0.3 fast=1 real > fast.jsonl
    scripts/check_pairs_on_device.py canonical.jsonl --time; scripts/check_pairs_on_device.py fast.jsonl --time      # on the GPU
    scripts/compare_variants.py canonical.jsonl fast.jsonl         # reads *.checked.jsonl beside them

Without a GPU the speed-ups can be modelled:

    scripts/compare_variants.py canonical.jsonl fast.jsonl --batches FOLDER     # writes canonical.batch.jsonl and fast.batch.jsonl there
    tritonrl verify --batch FOLDER/canonical.batch.jsonl --out canonical.verdicts.jsonl                            # and fast
    scripts/compare_variants.py canonical.jsonl fast.jsonl --verdicts
"""
import argparse
import collections
import json
import math
import os
import sys


def rows(path):
    with open(path, encoding="utf-8") as file:
        return {row["id"]: row for row in map(json.loads, file)}


def beside(path, ending):
    return os.path.splitext(path)[0] + ending


def speed_up(row):
    """Eager time over the solution's; none where it was not timed."""
    if row.get("solution_ms"):
        return row["eager_ms"] / row["solution_ms"]
    return (row.get("verdict", {}).get("timing") or {}).get("speedup")


def summary(name, values):
    if not values:
        return f"{name:<34}{0:>6}"
    ordered = sorted(values)
    mean = math.exp(sum(map(math.log, values)) / len(values))
    return (f"{name:<34}{len(values):>6}{mean:>9.2f}x{ordered[len(ordered) // 2]:>9.2f}x"
            f"{sum(v > 1 for v in values) / len(values):>9.0%}")


def write_batches(options):
    folder = os.path.abspath(options.batches)
    os.makedirs(folder, exist_ok=True)
    for name, path in (("canonical", options.canonical), ("fast", options.fast)):
        with open(os.path.join(folder, name + ".batch.jsonl"), "w", encoding="utf-8") as batch:
            for pair in rows(path).values():
                task = os.path.join(folder, pair["id"].replace("/", "_") + ".py")
                with open(task, "w", encoding="utf-8") as file:
                    file.write(pair["pytorch_code"])
                batch.write(json.dumps({"id": pair["id"], "task": task, "code": pair["solution"]}) + "\n")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("canonical")
    parser.add_argument("fast")
    parser.add_argument("--batches", metavar="FOLDER", help="write what `tritonrl verify --batch` reads, and nothing else")
    parser.add_argument("--verdicts", action="store_true", help="read *.verdicts.jsonl: modelled speed-ups")
    parser.add_argument("--list", action="store_true", help="name every module whose fast solution differs")
    options = parser.parse_args()
    if options.batches:
        return write_batches(options)
    ending = ".verdicts.jsonl" if options.verdicts else ".checked.jsonl"
    pairs = {name: rows(path) for name, path in (("canonical", options.canonical), ("fast", options.fast))}
    timed = {name: {i: s for i, row in rows(beside(path, ending)).items() if (s := speed_up(row))}
             for name, path in (("canonical", options.canonical), ("fast", options.fast))}
    print(f"{'':<34}{'tasks':>6}{'geo-mean':>10}{'median':>10}{'faster':>9}")
    for name in ("canonical", "fast"):
        print(summary(f"{name} against eager", list(timed[name].values())))
        for policy in ("kernelbench", "strict"):
            print(summary(f"  {policy}", [s for i, s in timed[name].items() if pairs[name][i]["policy"] == policy]))
    kernels = {name: {i: row["kernels_ms"] for i, row in rows(beside(path, ending)).items() if row.get("kernels_ms")}
               for name, path in (("canonical", options.canonical), ("fast", options.fast))}
    both = [i for i in timed["canonical"] if i in timed["fast"] and i in pairs["fast"]]
    gain = {i: timed["fast"][i] / timed["canonical"][i] for i in both}
    applies = [i for i in both if any(region["variant"] for region in pairs["fast"][i]["regions"])]
    print(summary("fast against canonical, applies", [gain[i] for i in applies]))
    forms = collections.defaultdict(list)
    for i in applies:
        for form in {region["variant"] for region in pairs["fast"][i]["regions"]} - {""}:
            forms[form].append(gain[i])
    for form in sorted(forms):
        print(summary(f"  with {form}", forms[form]))
    own = {i: kernels["canonical"][i] / kernels["fast"][i] for i in applies if i in kernels["canonical"] and i in kernels["fast"]}
    if own:
        print(summary("  their own kernels alone", list(own.values())))
    for form in sorted(forms) if own else []:
        print(summary(f"  with {form}", [own[i] for i in own if form in {r["variant"] for r in pairs["fast"][i]["regions"]}]))
    print(summary("  the same text (noise)", [gain[i] for i in both if pairs["canonical"][i]["solution"] == pairs["fast"][i]["solution"]]))
    if options.list:
        for i in sorted(applies, key=gain.get):
            print(f"  {gain[i]:.2f}x {i} {[r['variant'] or r['kind'] for r in pairs['fast'][i]['regions']]} "
                  f"canonical {timed['canonical'][i]:.2f}x, fast {timed['fast'][i]:.2f}x")
    return 0


if __name__ == "__main__":
    sys.exit(main())
