#!/usr/bin/env python3
"""What `tritonrl optimize --batch` made of KernelBench's tasks: a table a level, then the tasks that were not proven or where torch is faster.

    report.py results.jsonl [--json]

fast_p counts tasks of all whose proven kernel is more than p times as fast; torch.compile has a row of its own over eager torch. Geometric means are over
the tasks that have both times.
"""
import argparse
import collections
import json
import math

THRESHOLDS = (1, 1.05, 1.2)


def ratios(rows, slow, fast):
    return [row[slow] / row[fast] for row in rows if row.get(slow) and row.get(fast)]


def figures(rows, slow, fast):
    found = ratios(rows, slow, fast)
    return {"timed": len(found), **{f"fast_{p:g}": sum(r > p for r in found) for p in THRESHOLDS},
            "geometric_mean": math.exp(sum(map(math.log, found)) / len(found)) if found else None}


def summary(rows):
    beaten = [r for r in rows if r.get("kernel_us") and r.get("eager_us", 0) > r["kernel_us"] and r.get("compile_us", 0) > r["kernel_us"]]
    return {"tasks": len(rows), "proven": sum(r["proven"] for r in rows), "both_beaten": len(beaten),
            "kernel_over_eager": figures(rows, "eager_us", "kernel_us"),
            "compile_over_eager": figures(rows, "eager_us", "compile_us"),
            "kernel_over_compile": figures(rows, "compile_us", "kernel_us")}


def line(name, found):
    mean = f"{found['geometric_mean']:.3f}" if found["geometric_mean"] else "-"
    return f"  {name:<34}{found['timed']:>6}" + "".join(f"{found[f'fast_{p:g}']:>11}" for p in THRESHOLDS) + f"{mean:>16}"


def text(level, found):
    out = [f"{level}: {found['tasks']} tasks, {found['proven']} proven, {found['both_beaten']} faster than both eager torch and torch.compile",
           f"  {'':<34}{'timed':>6}" + "".join(f"{f'fast_{p:g}':>11}" for p in THRESHOLDS) + f"{'geometric mean':>16}"]
    out.append(line("proven kernels over eager torch", found["kernel_over_eager"]))
    out.append(line("torch.compile over eager torch", found["compile_over_eager"]))
    out.append(line("proven kernels over torch.compile", found["kernel_over_compile"]))
    return "\n".join(out)


def by_origin(rows):
    """Which form won: "teacher, strict, fast", whatever a search changed in it."""
    count = collections.Counter(row["source"].split(" of ")[-1].split(", torch in line")[0] for row in rows if row["proven"])
    return ", ".join(f"{name} {n}" for name, n in count.most_common())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("--json", action="store_true", help="the figures as JSON alone")
    options = parser.parse_args()
    with open(options.results, encoding="utf-8") as file:
        rows = [json.loads(row) for row in file.readlines()[1:]]
    levels = collections.defaultdict(list)
    for row in rows:
        levels[row["id"].split("/")[0]].append(row)
    found = {level: summary(of) for level, of in sorted(levels.items())}
    if options.json:
        print(json.dumps(found, indent=1))
        return
    for level, of in found.items():
        print(text(level, of))
        print(f"  won by: {by_origin(levels[level])}")
    print(f"seconds of a task: {sum(r['seconds'] for r in rows) / max(1, len(rows)):.1f} on average, {max((r['seconds'] for r in rows), default=0):.0f} at most")
    for row in sorted(rows, key=lambda r: r["id"]):
        if not row["proven"]:
            print(f"not proven: {row['id']}: {row.get('problem', '')[:200]}")
        elif not row["faster"]:
            print(f"slower: {row['id']}: kernel {row.get('kernel_us', 0):.1f} us, eager {row.get('eager_us', 0):.1f}, torch.compile {row.get('compile_us', 0):.1f}; {row['source']}")


if __name__ == "__main__":
    main()
