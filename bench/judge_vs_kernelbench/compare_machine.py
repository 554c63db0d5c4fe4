#!/usr/bin/env python3
"""The kernel machine against a GPU: two outputs of `tritonrl verify --batch` for the same candidates, one without and one with --device cuda.

  compare_machine.py CPU.jsonl DEVICE.jsonl

Prints how many verdicts are of the same kind, every one that is not, and the rank correlation of modelled with measured speed-ups.
"""
import argparse
import collections
import statistics

from compare import by_id, our_verdict, rank_correlation


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cpu")
    parser.add_argument("device")
    options = parser.parse_args()
    cpu, device = ({key: our_verdict(row) for key, row in by_id(path).items()} for path in (options.cpu, options.device))
    common = [key for key in device if key in cpu]
    same = [key for key in common if cpu[key]["kind"] == device[key]["kind"]]
    kinds = collections.Counter(device[key]["kind"] for key in same)
    print(f"{len(common)} candidates judged by both; the same kind: {len(same)} ({', '.join(f'{n} {k}' for k, n in kinds.most_common())})")
    for key in common:
        if key in same:
            continue
        print(f"  {key}")
        for name, verdict in (("machine", cpu[key]), ("GPU", device[key])):
            print(f"    {name:8}{verdict['kind']} at {verdict['stage']} {verdict['rule']}: {verdict['message'][:140]}")
    both = []
    for key in common:
        modelled, measured = cpu[key].get("timing") or {}, device[key].get("timing") or {}
        if cpu[key]["kind"] == device[key]["kind"] == "passed" and measured.get("mode") == "measured":
            both.append((modelled["speedup"], measured["speedup"]))
    if not both:
        return 1
    ratios = sorted(a / b for a, b in both)
    correlation = rank_correlation([a for a, _ in both], [b for _, b in both])
    print(f"speed-ups of {len(both)}: rank correlation {'-' if correlation is None else f'{correlation:.3f}'}; modelled / measured: median {statistics.median(ratios):.2f}, "
          f"half of them from {ratios[len(ratios) // 4]:.2f} to {ratios[3 * len(ratios) // 4]:.2f}")
    return 0 if len(same) == len(common) else 1


if __name__ == "__main__":
    raise SystemExit(main())
