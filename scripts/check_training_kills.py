#!/usr/bin/env python3
"""Kills `tritonrl sft` with SIGKILL at random moments, also while it saves, and lets it go on: the adapter at the end must be that of
an undisturbed run, bit for bit (on the CPU).

usage: check_training_kills.py BUILD [KILLS] [SEED]      (a build folder; 20 kills unless told)
"""
import hashlib
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

build, kills = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 20
chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
work = pathlib.Path(tempfile.mkdtemp(prefix="tritonrl_kills_"))
steps = 4 * kills + 4


def command(verb, *options):
    return [str(build / "tritonrl-model"), verb, *map(str, options), "--device", "cpu", "--threads", "1", "--data-threads", "1"]


def make_model_and_data():
    """The smallest model that `pretrain` makes, and sums to learn."""
    subprocess.run(command("pretrain", "--layers", 1, "--hidden", 32, "--heads", 2, "--kv-heads", 1, "--intermediate", 64, "--context", 4096,
                           "--vocabulary", 400, "--tokenizer-pairs", 20, "--steps", 2, "--batch-tokens", 4096, "--pass-tokens", 4096),
                   cwd=work, check=True, stderr=subprocess.DEVNULL)
    with open(work / "pairs.jsonl", "w", encoding="utf-8") as out:
        for i in range(60):
            pair = {"id": f"sum/{i}", "instruction": f"add {i} and {i * 7 % 50}", "output": f"{i + i * 7 % 50}", "pytorch_code": "x"}
            out.write(json.dumps(pair) + "\n")


def sft(name):
    return subprocess.Popen(command("sft", "--model", "checkpoints/pretrain_final", "--data", "pairs.jsonl", "--checkpoints", name, "--runs",
                                    f"runs_{name}", "--steps", steps, "--batch-tokens", 256, "--pass-tokens", 128, "--save-every", 1,
                                    "--learning-rate", 1e-2),
                            cwd=work, stderr=open(work / f"{name}.log", "a", encoding="utf-8"))


def lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for(process, condition):
    while process.poll() is None and not condition():
        time.sleep(0.001)
    return process.poll() is None


def final_adapter(name):
    return hashlib.sha256((work / name / "sft_final/adapter_model.safetensors").read_bytes()).hexdigest()


def losses(name):
    with open(work / f"runs_{name}/sft/metrics.jsonl", encoding="utf-8") as file:
        return [(json.loads(line)["step"], json.loads(line)["loss"]) for line in file]


make_model_and_data()
assert sft("whole").wait() == 0, f"the undisturbed run failed: {work}/whole.log"
done = saving = 0
metrics = work / "runs_torn/sft/metrics.jsonl"
while done < kills:
    process, before = sft("torn"), lines(metrics)
    # at least one step a life is kept: the count is of lines, which may shrink when the metrics are cut back
    target = chance.randrange(1, 4)
    alive = wait_for(process, lambda: lines(metrics) >= before + target)
    aside = chance.random() < 0.5
    if alive and aside:
        alive = wait_for(process, lambda: any((work / "torn/sft").glob("*.part")))
    if not alive:
        break
    time.sleep(chance.random() * (0.003 if aside else 0.03))
    process.send_signal(signal.SIGKILL)
    process.wait()
    done += 1
    saving += bool(list((work / "torn/sft").glob("*.part")))
code = sft("torn").wait() if not (work / "torn/sft_final/checkpoint.json").exists() else 0
assert code == 0, f"the run does not go on: {work}/torn.log"
assert done == kills, f"the run ended after {done} kills"
assert losses("whole") == losses("torn"), f"losses differ: {work}"
assert final_adapter("whole") == final_adapter("torn"), f"adapters differ: {work}"
print(f"{done} kills, {saving} of them while a checkpoint was being written; {steps} steps; final adapters are equal: {final_adapter('torn')[:16]}")
subprocess.run(["rm", "-rf", str(work)], check=True)
