#!/usr/bin/env python3
"""Measures some of the judged candidates carefully in plain torch, without the judge, and holds the speed-ups against the judge's.

  measure_alone.py CHECKOUT candidates.jsonl ours.jsonl [--count 20] [--seconds N] [--repeat K] [--naive] [--out FILE]

Taken are candidates that passed in ours.jsonl, one a task, whose measured times are between 100 us and 60 ms, evenly from the fastest to the
slowest; those that copy to the host are left out, since the judge's replay keeps everything on the GPU. The same files give the same
choice; one that fails here is reported, and its neighbour takes its place.

Careful: TF32 off, no gradients, inputs born on the GPU, reference and candidate in turns. Before every trial inputs are copied to other
addresses and 256 MiB are written through the L2 cache, as often as it takes to keep the GPU busy until the host has handed the forward over;
CUDA events around the forward; means trimmed by a tenth at either end. --repeat K does it K times for the coefficient of variation.
--naive also measures as one would at first: one call to warm up, the reference's ten runs and then the candidate's, the wall clock around
forward and synchronize, inputs and cache as they are, plain means; and prints how far that spreads and how far it is from the careful way.

--device cpu tries all of this without a GPU, with the wall clock and Triton's interpreter: its figures mean nothing.
"""
import argparse
import importlib.util
import json
import math
import os
import pathlib
import re
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time

LEAST_US, MOST_US = 100, 60_000
WITHIN = 0.03
TRIALS, LEAST_TRIALS, WARMUP = 40, 12, 5
TRIAL_SECONDS = 2.5  # for the trials of one measurement: fewer where they take long
FLUSH_BYTES = {"cuda": 256 << 20, "cpu": 4 << 20}
HOST_MARGIN, MOST_FLUSHES = 1.5, 400
NAIVE_RUNS = 10
KERNELS_A_PROCESS = 5
TOLERANCE = 1e-2  # that it is the same computation; the judge has said that it is right
KERNEL_SECONDS = 60  # for one candidate, its compilation included


def trimmed_mean(values, part=0.1):
    values = sorted(values)
    cut = int(len(values) * part)
    return statistics.mean(values[cut:len(values) - cut])


def variation(values):
    return statistics.stdev(values) / statistics.mean(values) if len(values) > 1 else math.nan


# The child: torch, and one candidate after the other


class Clock:
    """Microseconds of a call on the GPU alone: it is kept busy while the host hands the call over."""

    def __init__(self, torch, device):
        self.torch, self.cuda = torch, device == "cuda"
        self.memory = torch.empty(FLUSH_BYTES[device], dtype=torch.uint8, device=device)
        self.value = 0
        self.flush_us = 1.0
        for _ in range(3):
            self.synchronize()
            begin = time.perf_counter()
            self.flush(4)
            self.synchronize()
            self.flush_us = max(1.0, (time.perf_counter() - begin) * 1e6 / 4)

    def synchronize(self):
        if self.cuda:
            self.torch.cuda.synchronize()

    def flush(self, times):
        for _ in range(times):
            self.value = (self.value + 1) % 251
            self.memory.fill_(self.value)

    def microseconds(self, call, host_us):
        """Of the call, and what the host took to hand it over."""
        self.synchronize()
        flushes = min(MOST_FLUSHES, max(1, math.ceil(HOST_MARGIN * host_us / self.flush_us))) if self.cuda else 1
        begin = time.perf_counter()
        self.flush(flushes)
        if not self.cuda:
            begin = time.perf_counter()
            call()
            return (time.perf_counter() - begin) * 1e6, 0.0
        start, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        call()
        end.record()
        handed_over = (time.perf_counter() - begin) * 1e6
        end.synchronize()
        return start.elapsed_time(end) * 1000, handed_over


class Pair:
    """A task's module and a candidate's, with inputs."""

    def __init__(self, torch, job, folder, device, number):
        self.torch, self.device = torch, device
        task = load(pathlib.Path(job["task"]).read_text(encoding="utf-8"), f"task_{number}", folder)
        candidate = load(job["code"], f"candidate_{number}", folder)
        with torch.device(device):  # inputs born on the GPU: on the host they take ten seconds a task
            self.models = []
            for model in (task.Model, candidate.ModelNew):
                torch.manual_seed(42)
                self.models.append(model(*task.get_init_inputs()).to(device))
            torch.manual_seed(43)
            self.inputs = [self.there(x) for x in task.get_inputs()]

    def there(self, value):
        return value.to(self.device) if isinstance(value, self.torch.Tensor) else value

    def copies(self):
        return [x.clone() if isinstance(x, self.torch.Tensor) else x for x in self.inputs]

    def check(self):
        outputs = [model(*self.copies()) for model in self.models]
        pairs = [o if isinstance(o, (list, tuple)) else [o] for o in outputs]
        for expected, got in zip(*pairs, strict=True):
            if expected.shape != got.shape or not self.torch.allclose(expected.float(), got.float(), TOLERANCE, TOLERANCE, equal_nan=True):
                raise ValueError("another result than the reference's")


def load(source, name, folder):
    path = pathlib.Path(folder, f"{name}.py")  # Triton reads kernels from their file
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def measure_carefully(pair, clock):
    """Microseconds of reference and candidate."""
    times, host_us, held = ([], []), [200.0, 200.0], None

    def trial(side):
        nonlocal held
        held = pair.copies()  # while the former ones still exist: at other addresses
        inputs = held
        taken, host_us[side] = clock.microseconds(lambda: pair.models[side](*inputs), host_us[side])
        return taken

    begin = time.perf_counter()
    for _ in range(WARMUP):
        for side in (0, 1):
            trial(side)
        if time.perf_counter() - begin > TRIAL_SECONDS / 4:
            break
    begin = time.perf_counter()
    for i in range(TRIALS):
        for side in ((0, 1), (1, 0))[i % 2]:
            times[side].append(trial(side))
        if i + 1 >= LEAST_TRIALS and time.perf_counter() - begin > TRIAL_SECONDS:
            break
    return [trimmed_mean(t) for t in times], len(times[0])


def measure_naively(pair, clock):
    means = []
    for model in pair.models:
        model(*pair.inputs)
        clock.synchronize()
        taken = []
        for _ in range(NAIVE_RUNS):
            begin = time.perf_counter()
            model(*pair.inputs)
            clock.synchronize()
            taken.append((time.perf_counter() - begin) * 1e6)
        means.append(statistics.mean(taken))
    return means


def measured(torch, clock, job, folder, number):
    pair = Pair(torch, job, folder, job["device"], number)
    pair.check()
    row = {"id": job["id"], "careful": [], "naive": []}
    for _ in range(job["repeat"]):
        (reference, candidate), row["trials"] = measure_carefully(pair, clock)
        row["careful"].append({"reference_us": reference, "candidate_us": candidate})
        if job["naive"]:
            reference, candidate = measure_naively(pair, clock)
            row["naive"].append({"reference_us": reference, "candidate_us": candidate})
    return row


def child(device, folder):
    """Jobs come as lines on the input; answers go as lines to what was the output: candidates may print."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if device == "cpu":
        os.environ["TRITON_INTERPRET"] = "1"
    import torch
    if device == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
    clock = Clock(torch, device)
    with torch.no_grad():
        for number, line in enumerate(sys.stdin):
            job = json.loads(line)
            try:
                row = measured(torch, clock, job, folder, number)
            except Exception as error:
                row = {"id": job["id"], "error": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:300]}
            answers.write(json.dumps(row) + "\n")
            answers.flush()
            if device == "cuda":
                torch.cuda.empty_cache()


# The parent: no torch


class Child:
    """A process that measures, replaced after a failure and every few candidates."""

    def __init__(self, device, folder):
        self.command = [sys.executable, __file__, "--child", device, folder]
        self.process, self.served = None, 0

    def ask(self, job, limit):
        if self.process is None:
            # one candidate after the other in one process: importing torch costs as much as measuring
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
                                            start_new_session=True)
            self.served = 0
        line, in_time = "", True
        try:
            self.process.stdin.write(json.dumps(job) + "\n")
            self.process.stdin.flush()
            in_time = bool(select.select([self.process.stdout], [], [], limit)[0])
            line = self.process.stdout.readline() if in_time else ""
        except BrokenPipeError:
            pass  # it has ended
        self.served += 1
        if line.endswith("\n"):
            row = json.loads(line)
        elif in_time:
            row = {"id": job["id"], "error": f"its process ended with {self.process.wait()}"}
        else:
            row = {"id": job["id"], "error": f"no answer within {limit:.0f} s"}
        if "error" in row or self.served >= KERNELS_A_PROCESS:
            self.end()
        return row

    def end(self):
        if self.process is None:
            return
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.process = None


def json_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def eligible(candidates, ours, least, most):
    """One a task, the fastest first."""
    found = {}
    for row in ours:
        verdict, candidate = row.get("verdict") or {}, candidates.get(row["id"])
        timing = verdict.get("timing") or {}
        if not candidate or verdict.get("kind") != "passed" or timing.get("mode") != "measured":
            continue
        if not least < timing["candidate_us"] < most or timing["reference_us"] > most or re.search(r"\.cpu\(|\.to\(['\"]cpu", candidate["code"]):
            continue
        found.setdefault(candidate["task"], (timing["candidate_us"], candidate, timing))
    return [found[task] for task in sorted(found, key=lambda t: (found[t][0], t))]


def in_order(count, wanted):
    """Places of `wanted` evenly among `count`, each followed by those that may stand in for it."""
    wanted = min(wanted, count)
    places = [round(i * (count - 1) / max(1, wanted - 1)) for i in range(wanted)]
    taken, groups = set(places), []
    for place in places:
        near = sorted((p for p in range(count) if p not in taken), key=lambda p: (abs(p - place), p))
        groups.append([place, *near])
    return groups


def measure_all(chosen, options, folder):
    child_process, rows, tried = Child(options.device, folder), [], set()
    begin = time.monotonic()
    try:
        for group in in_order(len(chosen), options.count):
            for place in group:
                if place in tried:
                    continue
                tried.add(place)
                _, candidate, timing = chosen[place]
                left = options.seconds - (time.monotonic() - begin) if options.seconds else KERNEL_SECONDS * options.repeat
                if left < 1:
                    print(f"stopped after {len(rows)}: the {options.seconds:g} s are spent")
                    return rows
                job = {"id": candidate["id"], "task": str(pathlib.Path(options.checkout, candidate["task"])), "code": candidate["code"],
                       "device": options.device, "repeat": options.repeat, "naive": options.naive}
                row = child_process.ask(job, min(left, KERNEL_SECONDS * options.repeat))
                if "error" in row:
                    print(f"{row['id']}: not measured: {row['error']}", flush=True)
                    continue
                row["ours"] = timing
                rows.append(row)
                print_row(row, len(rows))
                break
    finally:
        child_process.end()
    return rows


def speedups(times):
    return [t["reference_us"] / t["candidate_us"] for t in times]


def difference(row):
    """Of the judge's speed-up from the careful one, as a part of it."""
    return row["ours"]["speedup"] / statistics.median(speedups(row["careful"])) - 1


def print_row(row, number):
    if number == 1:
        print(f"{'alone: us':>20} {'us':>10} {'x':>7}   {'ours: us':>10} {'us':>10} {'x':>7} {'diff.':>8}  trials  id")
    first, ours = row["careful"][0], row["ours"]
    print(f"{first['reference_us']:20.1f} {first['candidate_us']:10.1f} {speedups(row['careful'])[0]:7.3f}   {ours['reference_us']:10.1f} "
          f"{ours['candidate_us']:10.1f} {ours['speedup']:7.3f} {difference(row):+8.2%} {row['trials']:7}  {row['id']}", flush=True)


def print_figures(rows, options):
    differences = [abs(difference(row)) for row in rows]
    if not rows:
        return print("nothing was measured")
    worst = max(rows, key=lambda row: abs(difference(row)))
    print(f"\nwithin {WITHIN:.0%} of the careful speed-up: {sum(d <= WITHIN for d in differences)} of {len(rows)}; "
          f"median difference {statistics.median(differences):.2%}, worst {abs(difference(worst)):.2%} ({worst['id']})")
    for name in ("reference_us", "candidate_us"):
        each = [row["ours"][name] / statistics.median(t[name] for t in row["careful"]) for row in rows]
        print(f"ours / alone, {name}: median {statistics.median(each):.3f}, from {min(each):.3f} to {max(each):.3f}")
    if options.repeat > 1:
        for name in ("careful", "naive"):
            each = [variation(speedups(row[name])) for row in rows if row[name]]
            if each:
                print(f"{name} speed-up over {options.repeat} repeats: cv median {statistics.median(each):.2%}, worst {max(each):.2%}; "
                      f"at most 1 %: {sum(c <= 0.01 for c in each)} of {len(each)}")
    if options.naive:
        bias = [statistics.mean(speedups(row["naive"])) / statistics.median(speedups(row["careful"])) - 1 for row in rows]
        print(f"naive against careful speed-up: median |difference| {statistics.median(map(abs, bias)):.2%}, from {min(bias):+.2%} to "
              f"{max(bias):+.2%}; within {WITHIN:.0%}: {sum(abs(b) <= WITHIN for b in bias)} of {len(bias)}")
    return None


def main():
    if sys.argv[1:2] == ["--child"]:
        return child(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path, help="what the candidates' tasks are relative to")
    parser.add_argument("candidates")
    parser.add_argument("ours")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0, help="for all of them (default: no limit)")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--naive", action="store_true")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--least-us", type=float, default=LEAST_US)
    parser.add_argument("--most-us", type=float, default=MOST_US)
    parser.add_argument("--out", help="all figures as JSON lines")
    options = parser.parse_args()
    candidates = {row["id"]: row for row in json_lines(options.candidates)}
    chosen = eligible(candidates, json_lines(options.ours), options.least_us, options.most_us)
    print(f"{len(chosen)} tasks have a candidate to choose from")
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:  # the parent's, since children are killed
        rows = measure_all(chosen, options, folder)
    if options.out:
        pathlib.Path(options.out).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    print_figures(rows, options)
    print(f"{len(rows)} measured in {time.monotonic() - begin:.0f} s")
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
