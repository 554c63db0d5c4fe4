#!/usr/bin/env python3
"""Reinforces with two MPI ranks, which answer and judge a half each, and with one: ledgers must be equal, answer for answer, and so must
adapters.

usage: check_rl_ranks.py BUILD      (a build folder; needs mpirun)
"""
import sys

from small_reinforcement import SmallReinforcement

run = SmallReinforcement(sys.argv[1], rounds=2)
jobs = {"one": run.rl("one"), "two": run.rl("two", "mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "2")}
for name, job in jobs.items():
    assert job.wait() == 0, f"{name}: the run failed: {run.work}/{name}.log"
run.require_same_ledgers("one", "two")
assert run.rl_adapter("one") == run.rl_adapter("two"), f"adapters differ: {run.work}"
said = (run.work / "two.log").read_text(encoding="utf-8")
assert said.count("round 1 of 2") == 1, f"not the first rank alone speaks: {said}"
print(f"two ranks are one: {len(run.rows('two', 'SELECT 1 FROM samples'))} answers and the adapters are equal")
run.remove()
