#!/usr/bin/env python3
"""Trains with two MPI ranks and with one that makes twice as many passes: losses and adapter must agree, and a rank that dies must end
the job with a message and leave a checkpoint from which one rank goes on. With --nccl, on GPUs: as many ranks as there are GPUs, found through
torchrun's variables, against one process alone; with a single GPU one rank.

usage: check_training_ranks.py BUILD [--nccl]     (a build folder; needs mpirun, or a GPU)
"""
import os
import signal
import subprocess
import sys
import time

from small_training import SmallTraining



def nccl():
    """The ranks of one machine, started as torchrun starts them."""
    run = SmallTraining(sys.argv[1], 12, "--lora-dropout", 0, "--save-every", 1, "--dtype", "fp32", device="cuda")
    gpus = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=True).stdout.count("GPU ")
    assert run.sft("one").wait() == 0, f"one process failed: {run.work}/one.log"
    shared = {"WORLD_SIZE": str(gpus), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29511"}

    def start(name):
        return [run.sft(name, "env", *(f"{k}={v}" for k, v in {**shared, "RANK": r, "LOCAL_RANK": r}.items())) for r in range(gpus)]
    assert [job.wait() for job in start("nccl")] == [0] * gpus, f"the ranks failed: {run.work}/nccl.log"
    worst = max(abs(a - b) / abs(a) for (_, a), (_, b) in zip(run.losses("one"), run.losses("nccl"), strict=True))
    assert worst < 1e-4, f"losses differ by {worst}: {run.work}"
    dead = "not tried with one GPU"
    if gpus > 1:
        run.steps = 4000
        jobs = start("dying")
        while not (run.metrics_path("dying").exists() and len(run.losses("dying")) > 3):
            assert all(job.poll() is None for job in jobs), f"the job ended early: {run.work}/dying.log"
            time.sleep(0.05)
        jobs[-1].send_signal(signal.SIGKILL)
        codes = [job.wait(120) for job in jobs]
        assert all(codes), codes
        dead = "ended all"
    print(f"{gpus} ranks by NCCL against one process: losses within {worst:.1e}; a dead rank {dead}")
    run.remove()


if "--nccl" in sys.argv:
    nccl()
    sys.exit()
run = SmallTraining(sys.argv[1], 12, "--lora-dropout", 0, "--save-every", 1)
mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "2"]

assert run.sft("one").wait() == 0, f"one rank failed: {run.work}/one.log"
assert run.sft("two", *mpirun).wait() == 0, f"two ranks failed: {run.work}/two.log"
worst = max(abs(a - b) / abs(a) for (_, a), (_, b) in zip(run.losses("one"), run.losses("two"), strict=True))
assert worst < 1e-5, f"losses differ by {worst}: {run.work}"
equal = run.adapter("one") == run.adapter("two")

run.steps = 4000
job = run.sft("dying", *mpirun)
while not (run.metrics_path("dying").exists() and len(run.losses("dying")) > 3):
    assert job.poll() is None, f"the job ended early: {run.work}/dying.log"
    time.sleep(0.05)
ranks = [int(pid) for pid in subprocess.run(["pgrep", "-P", str(job.pid), "-f", "tritonrl-model"], capture_output=True, text=True).stdout.split()]
assert len(ranks) == 2, ranks
os.kill(ranks[1], signal.SIGKILL)
assert job.wait() != 0, "the job outlived a rank"
said = (run.work / "dying.log").read_text()
assert "signal 9" in said or "Killed" in said, said
step = max(int(p.name[5:]) for p in (run.work / "dying/sft").glob("step_*") if p.name[5:].isdigit())
alone = run.sft("dying")
while not any(f"going on from dying/sft/step_{step:06d}" in line for line in open(run.work / "dying.log", encoding="utf-8")):
    assert alone.poll() is None, f"it does not go on: {run.work}/dying.log"
    time.sleep(0.05)
alone.send_signal(signal.SIGTERM)
assert alone.wait() == 128 + signal.SIGTERM
print(f"two ranks are one with twice the passes: losses within {worst:.1e}, adapters {'equal bit for bit' if equal else 'differ in rounding'}; "
      f"a dead rank ended the job, step {step} was there to go on from")
run.remove()
