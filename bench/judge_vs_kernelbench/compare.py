#!/usr/bin/env python3
"""Our verdicts beside KernelBench's: where they differ and why, how fast each is, and whether the measured speed-ups agree.

  compare.py candidates.jsonl ours.jsonl kernelbench.jsonl --seconds S       S: wall seconds of `tritonrl verify --batch` on all candidates
"""
import argparse
import collections
import json
import math
import statistics

NOT_COMPILED = {"no_code", "invalid", "compile_error"}
MESSAGE_LENGTH = 150


def by_id(path):
    rows = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.endswith("\n"):  # else its writer was stopped in the middle of it
                row = json.loads(line)
                rows[row["id"]] = row
    return rows


def short(text):
    text = " ".join(str(text).split())
    return text if len(text) <= MESSAGE_LENGTH else text[:MESSAGE_LENGTH - 1] + "…"


# One verdict of each, in common terms


def our_verdict(row):
    """A line of the batch's output holds a verdict, or an error where the line itself was bad."""
    return row.get("verdict") or {"kind": "infrastructure", "rule": "error", "message": str(row.get("error"))}


def our_answer(verdict):
    """(compiled, correct) as KernelBench means them; None where we did not judge."""
    if verdict["kind"] in ("infrastructure", "unjudged"):
        return None
    return verdict["kind"] not in NOT_COMPILED, verdict["kind"] == "passed"


def our_speedup(verdict):
    timing = verdict.get("timing") or {}
    return timing.get("speedup") if verdict["kind"] == "passed" and timing.get("mode") == "measured" else None


def their_answer(row):
    return None if row["correct"] is None else (row["compiled"], row["correct"])


def their_kind(row):
    """Our name for what KernelBench found."""
    if row["correct"] is None:
        return row["ended"]
    if row["ended"] != "judged":
        return {"timeout": "timeout", "died": "crashed"}[row["ended"]]
    if row["correct"]:
        return "passed"
    metadata = row["metadata"]
    if "cuda_error" in metadata or "other_error" in metadata:
        return "crashed"
    # It meets Triton's compiler only when the kernel is launched, and calls the file compiled by then.
    if not row["compiled"] or "CompilationError" in metadata.get("runtime_error_name", ""):
        return "compile_error"
    return "crashed" if "runtime_error" in metadata else "wrong"


def their_message(row):
    metadata = row["metadata"]
    for key in ("error", "compilation_error", "runtime_error", "cuda_error", "other_error", "correctness_issue"):
        if key in metadata:
            return f"{metadata[key]} {metadata.get('max_difference', '')}"
    return metadata.get("correctness_trials", "")


def their_speedup(row):
    return row["reference_ms"] / row["runtime_ms"] if row["correct"] and row["runtime_ms"] and row["reference_ms"] else None


# Figures


def ranks(values):
    """From 1; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    begin = 0
    while begin < len(order):
        end = begin
        while end < len(order) and values[order[end]] == values[order[begin]]:
            end += 1
        for i in order[begin:end]:
            result[i] = (begin + end + 1) / 2
        begin = end
    return result


def rank_correlation(xs, ys):
    if len(xs) < 3 or len(set(xs)) == 1 or len(set(ys)) == 1:
        return None
    return statistics.correlation(ranks(xs), ranks(ys))


def mix_weighted_seconds(candidates, theirs):
    """KernelBench's mean seconds for the mix of all candidates, from the mean of each group in the sample, and the groups it holds
    nothing of. A cut one counts with what it took so far, which is too little."""
    seconds = collections.defaultdict(list)
    for key, row in theirs.items():
        seconds[group_of(candidates[key])].append(row["seconds"]["whole"])
    counts = collections.Counter(group_of(c) for c in candidates.values())
    known = {g: n for g, n in counts.items() if g in seconds}
    total = sum(n * statistics.mean(seconds[g]) for g, n in known.items()) / max(1, sum(known.values()))
    return total, sorted(set(counts) - set(known))


def group_of(candidate):
    return candidate.get("group", candidate["expected"])


# Paragraphs


def print_kinds(candidates, ours):
    print("what we said, by what it should be (rows: group, expected kind)")
    table = collections.defaultdict(collections.Counter)
    for key, candidate in candidates.items():
        kind = our_verdict(ours[key])["kind"] if key in ours else "(none)"
        table[group_of(candidate), candidate["expected"]][kind] += 1
    as_expected = sum(c[expected] for (_, expected), c in table.items())
    for (group, expected), counts in sorted(table.items()):
        print(f"  {group:8} {expected:14} " + "  ".join(f"{kind} {count}" for kind, count in counts.most_common()))
    print(f"  as expected: {as_expected} of {len(candidates)}")
    for key, candidate in sorted(candidates.items()):
        verdict = our_verdict(ours[key]) if key in ours else None
        if verdict and verdict["kind"] != candidate["expected"]:
            print(f"    {key}: expected {candidate['expected']}, {verdict['kind']} {verdict.get('rule', '')} at {verdict.get('stage', '?')}: "
                  f"{short(verdict.get('message', ''))}")


def print_sides(candidates, ours, theirs):
    print("\nside by side (compiled/correct; y, n; - not judged)")
    print(f"  {'ours':4} {'theirs':6}  {'our kind':14} {'their kind':14} {'our x':>6} {'their x':>7} {'their s':>7}  id")
    for key, row in theirs.items():
        verdict = our_verdict(ours.get(key, {}))
        speedups = [f"{s:.2f}" if s else "-" for s in (our_speedup(verdict), their_speedup(row))]
        print(f"  {letters(our_answer(verdict)):4} {letters(their_answer(row)):6}  {verdict['kind']:14} {their_kind(row):14} "
              f"{speedups[0]:>6} {speedups[1]:>7} {row['seconds']['whole']:7.1f}  {key} ({candidates[key]['expected']})")


def letters(answer):
    return "-" if answer is None else "/".join("y" if a else "n" for a in answer)


def print_differences(candidates, ours, theirs):
    pairs = {k: (our_verdict(ours[k]), row) for k, row in theirs.items() if k in ours}
    judged = {k: (v, r) for k, (v, r) in pairs.items() if our_answer(v) is not None and their_answer(r) is not None}
    for index, name in ((1, "correct"), (0, "compiled")):
        differing = {k: p for k, p in judged.items() if our_answer(p[0])[index] != their_answer(p[1])[index]}
        print(f"\n{name}: {len(judged) - len(differing)} of {len(judged)} agree")
        for key, (verdict, row) in differing.items():
            print(f"  {key} (expected {candidates[key]['expected']})\n"
                  f"    ours:   {verdict['kind']} {verdict.get('rule', '')}: {short(verdict.get('message', ''))}\n"
                  f"    theirs: {their_kind(row)}: {short(their_message(row))}")
    unjudged = [k for k in theirs if k not in judged]
    if unjudged:
        print(f"\nnot compared, since one side did not judge: {', '.join(unjudged)}")


def print_rates(candidates, ours, theirs, seconds):
    print("\nspeed")
    our_rate = len(ours) / seconds
    print(f"  ours: {len(ours)} candidates in {seconds:.1f} s, {our_rate:.2f}/s")
    if not theirs:
        return
    whole = [r["seconds"]["whole"] for r in theirs.values()]
    imports = [r["seconds"]["torch"] for r in theirs.values() if "torch" in r["seconds"]]
    print(f"  KernelBench's: {len(whole)} in {sum(whole):.1f} s, {len(whole) / sum(whole):.3f}/s; {statistics.mean(whole):.1f} s each "
          f"(median {statistics.median(whole):.1f}), of which importing torch {statistics.mean(imports) if imports else math.nan:.1f}")
    weighted, missing = mix_weighted_seconds(candidates, theirs)
    cut = [k for k, r in theirs.items() if r["ended"] == "cut"]
    print(f"  … weighted to the mix of all candidates: {weighted:.1f} s each"
          + (f", without {', '.join(missing)}" if missing else "") + (f"; {len(cut)} cut short, so it is more" if cut else ""))
    print(f"  ratio: {our_rate * sum(whole) / len(whole):.1f} times on what was measured, {our_rate * weighted:.1f} times weighted")
    no_hang = [r["seconds"]["whole"] for k, r in theirs.items() if candidates[k]["expected"] != "timeout"]
    if no_hang and len(no_hang) < len(whole):
        print(f"  KernelBench's without candidates that hang: {statistics.mean(no_hang):.1f} s each")


def print_stages(ours):
    stages = collections.defaultdict(list)
    for row in ours.values():
        for stage, ms in our_verdict(row).get("ms", {}).items():
            stages[stage].append(ms)
    if stages:
        print("\nwhere our time goes (ms of the candidates that reached the stage: mean, median; share of all)")
        total = sum(map(sum, stages.values()))
        for stage, values in sorted(stages.items(), key=lambda item: -sum(item[1])):
            print(f"  {stage:12} {len(values):5} x {statistics.mean(values):9.1f} {statistics.median(values):9.1f}  {100 * sum(values) / max(total, 1e-9):5.1f} %")


def print_speedups(ours, theirs):
    both = [(our_speedup(our_verdict(ours[k])), their_speedup(r)) for k, r in theirs.items() if k in ours]
    both = [(a, b) for a, b in both if a and b]
    correlation = rank_correlation([a for a, _ in both], [b for _, b in both])
    ratios = sorted(a / b for a, b in both)
    print(f"\nspeed-ups that both measured: {len(both)}; rank correlation {'-' if correlation is None else f'{correlation:.3f}'}"
          + (f"; ours / theirs: median {statistics.median(ratios):.3f}, from {ratios[0]:.3f} to {ratios[-1]:.3f}" if ratios else ""))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("candidates")
    options.add_argument("ours")
    options.add_argument("kernelbench")
    options.add_argument("--seconds", type=float, required=True)
    arguments = options.parse_args()
    candidates, ours, theirs = by_id(arguments.candidates), by_id(arguments.ours), by_id(arguments.kernelbench)
    ours = {k: r for k, r in ours.items() if k in candidates}
    theirs = {k: r for k, r in theirs.items() if k in candidates}
    print_kinds(candidates, ours)
    print_sides(candidates, ours, theirs)
    print_differences(candidates, ours, theirs)
    print_rates(candidates, ours, theirs, arguments.seconds)
    print_stages(ours)
    print_speedups(ours, theirs)
    stand_ins = sorted({s for r in theirs.values() for s in r["stand_ins"]})
    print(f"\nKernelBench's evaluator ran with empty stand-ins for: {', '.join(stand_ins) or 'nothing'}")


if __name__ == "__main__":
    main()
