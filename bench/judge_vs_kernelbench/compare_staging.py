#!/usr/bin/env python3
"""What stages gain: the same candidates judged with the cheap stages first, and without.

  compare_staging.py STAGED_SECONDS staged.jsonl UNSTAGED_SECONDS unstaged.jsonl

Seconds are numbers or files that hold one (ours_seconds.txt of run.sh). Unstaged is `--enable-staged-eval 0 --staged-skip-timing-on-failure 0`.
Prints seconds, candidates a second, the gain, and every verdict that differs.
"""
import argparse
import collections
import pathlib

from compare import by_id, our_verdict, short


def seconds(text):
    path = pathlib.Path(text)
    return float(path.read_text(encoding="utf-8") if path.is_file() else text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("staged_seconds", type=seconds)
    parser.add_argument("staged")
    parser.add_argument("unstaged_seconds", type=seconds)
    parser.add_argument("unstaged")
    options = parser.parse_args()
    sides = {"staged": (options.staged_seconds, by_id(options.staged)), "unstaged": (options.unstaged_seconds, by_id(options.unstaged))}
    rates = {}
    for name, (taken, rows) in sides.items():
        rates[name] = len(rows) / taken
        kinds = collections.Counter(our_verdict(row)["kind"] for row in rows.values())
        print(f"{name:9} {len(rows):5} candidates in {taken:8.1f} s, {rates[name]:.3f}/s; " + ", ".join(f"{n} {k}" for k, n in kinds.most_common()))
    print(f"staging judges {100 * (rates['staged'] / rates['unstaged'] - 1):+.1f} % more candidates a second")
    staged, unstaged = (rows for _, rows in sides.values())
    for name, one, other in (("staged", staged, unstaged), ("unstaged", unstaged, staged)):
        if one.keys() - other.keys():
            print(f"only {name}: {', '.join(sorted(one.keys() - other.keys()))}")
    both = [key for key in staged if key in unstaged]
    pairs = {key: (our_verdict(staged[key]), our_verdict(unstaged[key])) for key in both}
    differing = {key: pair for key, pair in pairs.items() if pair[0]["kind"] != pair[1]["kind"]}
    rules = sum(a.get("rule") != b.get("rule") for a, b in pairs.values()) if pairs else 0
    print(f"the same kind: {len(both) - len(differing)} of {len(both)}; another rule told: {rules}")
    for key, (a, b) in sorted(differing.items()):
        print(f"  {key}\n    staged:   {a['kind']} {a.get('rule', '')} at {a.get('stage', '?')}: {short(a.get('message', ''))}\n"
              f"    unstaged: {b['kind']} {b.get('rule', '')} at {b.get('stage', '?')}: {short(b.get('message', ''))}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
