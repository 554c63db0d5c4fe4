#!/usr/bin/env python3
"""Kills `tritonrl sft` with SIGKILL at random moments, also while it saves, and lets it go on: the adapter at the end must be that of
an undisturbed run, bit for bit (on the CPU).

usage: check_training_kills.py BUILD [KILLS] [SEED]      (a build folder; 20 kills unless told)
"""
import random
import signal
import sys
import time

from small_training import SmallTraining

kills = int(sys.argv[2]) if len(sys.argv) > 2 else 20
chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
run = SmallTraining(sys.argv[1], 4 * kills + 4, "--save-every", 3)


def lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def being_written():
    return any((run.work / "torn/sft").glob("*.part"))


def wait_for(process, condition):
    while process.poll() is None and not condition():
        time.sleep(0.001)
    return process.poll() is None


assert run.sft("whole").wait() == 0, f"the undisturbed run failed: {run.work}/whole.log"
done = saving = 0
metrics = run.metrics_path("torn")
while done < kills:
    before, steps = lines(metrics), chance.randrange(1, 4)
    process = run.sft("torn")
    alive = wait_for(process, lambda: lines(metrics) >= before + steps)
    aside = chance.random() < 0.5
    if alive and aside:
        alive = wait_for(process, being_written)
    if not alive:
        break
    time.sleep(chance.random() * (0.003 if aside else 0.03))
    process.send_signal(signal.SIGKILL)
    process.wait()
    done += 1
    saving += being_written()
finished = (run.work / "torn/sft_final/checkpoint.json").exists()
assert finished or run.sft("torn").wait() == 0, f"the run does not go on: {run.work}/torn.log"
assert done == kills, f"the run ended after {done} kills: {run.work}"
assert run.losses("whole") == run.losses("torn"), f"losses differ: {run.work}"
assert run.adapter("whole") == run.adapter("torn"), f"adapters differ: {run.work}"
print(f"{done} kills, {saving} of them while a checkpoint was being written; {run.steps} steps; final adapters are equal: {run.adapter('torn')[:16]}")
run.remove()
