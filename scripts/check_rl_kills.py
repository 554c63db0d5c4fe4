#!/usr/bin/env python3
"""Kills `tritonrl rl` with SIGKILL at random moments and lets it go on: ledger and adapter at the end must be those of an undisturbed
run, bit for bit (on the CPU), and no answer may be judged twice.

The model is the smallest that `tritonrl pretrain` makes. Its answers hold no code, so that verdicts take no time; a floor of 0 trains
on them all the same.

usage: check_rl_kills.py BUILD [KILLS] [SEED]      (a build folder; 20 kills unless told)
"""
import hashlib
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import time

from small_training import SmallTraining

kills = int(sys.argv[2]) if len(sys.argv) > 2 else 20
chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
run = SmallTraining(sys.argv[1], 1)
tasks = pathlib.Path(__file__).resolve().parent.parent / "examples/tasks"
rounds = 4 + kills // 2


def rl(name):
    return subprocess.Popen(
        [*run.command("rl", "--model", "checkpoints/pretrain_final", "--tasks", tasks, "--split", "all", "--checkpoints", name, "--runs",
                      f"runs_{name}", "--rounds", rounds, "--round-tasks", 4, "--samples", 3, "--tasks-at-once", 2, "--max-new-tokens", 16,
                      "--reward-floor", 0, "--learning-rate", 1e-2, "--longest", 4096, "--judge-seed", 1, "--no-cache")],
        cwd=run.work, stderr=open(run.work / f"{name}.log", "a", encoding="utf-8"))


def rows(name, query):
    path = run.work / f"runs_{name}/rl/ledger.sqlite"
    if not path.exists():
        return []
    with sqlite3.connect(path, timeout=20) as ledger:
        return ledger.execute(query).fetchall()


def ledger(name):
    """Everything but times."""
    return [rows(name, query) for query in (
        "SELECT round, done FROM rounds", "SELECT * FROM draws", "SELECT * FROM samples", "SELECT * FROM decisions",
        "SELECT round, place, idx, kind, stage, rule, reward FROM verdicts")]


def adapter(name):
    return hashlib.sha256((run.work / name / "rl_final/adapter_model.safetensors").read_bytes()).hexdigest()


def progress(name):
    try:
        return rows(name, "SELECT (SELECT count(*) FROM samples) + (SELECT count(*) FROM verdicts) + (SELECT count(*) FROM decisions)")
    except sqlite3.OperationalError:  # not yet made
        return []


assert rl("whole").wait() == 0, f"the undisturbed run failed: {run.work}/whole.log"
done, when = 0, []
while done < kills:
    before = progress("torn")
    process = rl("torn")
    while process.poll() is None and progress("torn") == before:
        time.sleep(0.002)
    time.sleep(chance.random() * 0.3)
    if process.poll() is not None:
        break
    process.send_signal(signal.SIGKILL)
    process.wait()
    done += 1
    when.append(rows("torn", "SELECT count(*) FROM samples")[0][0])
finished = (run.work / "torn/rl_final/checkpoint.json").exists()
assert finished or rl("torn").wait() == 0, f"the run does not go on: {run.work}/torn.log"
assert done == kills, f"the run ended after {done} kills: {run.work}"
for mine, theirs in zip(ledger("whole"), ledger("torn")):
    assert mine == theirs, f"ledgers differ: {run.work}: {[(a, b) for a, b in zip(mine, theirs) if a != b][:1]}"
assert adapter("whole") == adapter("torn"), f"adapters differ: {run.work}"
print(f"{done} kills, when the ledger had {when} answers; {rounds} rounds; ledgers and final adapters are equal: {adapter('torn')[:16]}")
run.remove()
