#!/usr/bin/env python3
"""How well the judge's times repeat: several outputs of `tritonrl verify --batch --device cuda` for the same candidates.

  repeat_times.py ours1.jsonl ours2.jsonl [ours3.jsonl ...] [--least-us 100]

For every candidate that passed in all of them and takes longer than that: the coefficient of variation of its time and of its speed-up over
the runs, and the one that each run states for itself (`timing.cv`).
"""
import argparse
import statistics

from compare import by_id, our_verdict


def variation(values):
    return statistics.stdev(values) / statistics.mean(values)


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, round(part * (len(values) - 1)))]


def figures(name, values):
    print(f"  {name:38} median {statistics.median(values):.3%}  95th percentile {percentile(values, 0.95):.3%}  max {max(values):.3%}  "
          f"at most 1 %: {sum(v <= 0.01 for v in values)} of {len(values)}")


def timing_of(row):
    verdict = our_verdict(row)
    timing = verdict.get("timing") or {}
    return timing if verdict["kind"] == "passed" and timing.get("mode") == "measured" else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--least-us", type=float, default=100)
    parser.add_argument("--worst", type=int, default=5, help="how many to name (default 5)")
    options = parser.parse_args()
    if len(options.runs) < 2:
        parser.error("at least two runs")
    runs = [{key: timing_of(row) for key, row in by_id(path).items()} for path in options.runs]
    common = [key for key in runs[0] if all(run.get(key) for run in runs)]
    passed_once = {key for run in runs for key, timing in run.items() if timing}
    kept = {key: [run[key] for run in runs] for key in common}
    kept = {key: ts for key, ts in kept.items() if statistics.mean(t["candidate_us"] for t in ts) > options.least_us}
    print(f"{len(kept)} candidates over {options.least_us:g} us in {len(runs)} runs; {len(common)} passed in all of them, {len(passed_once)} in any")
    if not kept:
        return 1
    times = {key: variation([t["candidate_us"] for t in ts]) for key, ts in kept.items()}
    figures("candidate_us over the runs", times.values())
    figures("speed-up over the runs", [variation([t["speedup"] for t in ts]) for ts in kept.values()])
    for path, index in zip(options.runs, range(len(runs))):
        figures(f"within {path[-30:]}", [ts[index]["cv"] for ts in kept.values()])
    for key, value in sorted(times.items(), key=lambda item: -item[1])[:options.worst]:
        print(f"    {value:.3%}  {key}: " + ", ".join(f"{t['candidate_us']:.1f}" for t in kept[key]) + " us")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
