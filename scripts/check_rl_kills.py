#!/usr/bin/env python3
"""Kills `tritonrl rl` with SIGKILL at random moments and lets it go on: ledger and adapter at the end must be those of an undisturbed
run, bit for bit (on the CPU), and no answer may be judged twice.

usage: check_rl_kills.py BUILD [KILLS] [SEED]      (a build folder; 20 kills unless told)
"""
import random
import signal
import sqlite3
import sys
import time

from small_reinforcement import SmallReinforcement

kills = int(sys.argv[2]) if len(sys.argv) > 2 else 20
chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
run = SmallReinforcement(sys.argv[1], rounds=4 + 5 * kills // 4)  # a kill costs it half a round or more


def progress(name):
    try:
        return run.rows(name, "SELECT (SELECT count(*) FROM samples) + (SELECT count(*) FROM verdicts) + (SELECT count(*) FROM decisions)")
    except sqlite3.OperationalError:  # not yet made
        return []


assert run.rl("whole").wait() == 0, f"the undisturbed run failed: {run.work}/whole.log"
done, when = 0, []
while done < kills:
    before = progress("torn")
    process = run.rl("torn")
    while process.poll() is None and progress("torn") == before:
        time.sleep(0.002)
    time.sleep(chance.random() * 0.3)
    if process.poll() is not None:
        break
    process.send_signal(signal.SIGKILL)
    process.wait()
    done += 1
    when.append(run.rows("torn", "SELECT count(*) FROM samples")[0][0])
finished = (run.work / "torn/rl_final/checkpoint.json").exists()
assert finished or run.rl("torn").wait() == 0, f"the run does not go on: {run.work}/torn.log"
assert done == kills, f"the run ended after {done} kills: {run.work}"
run.require_same_ledgers("whole", "torn")
assert run.rl_adapter("whole") == run.rl_adapter("torn"), f"adapters differ: {run.work}"
print(f"{done} kills, when the ledger had {when} answers; {run.rounds} rounds; ledgers and final adapters are equal: {run.rl_adapter('torn')[:16]}")
run.remove()
