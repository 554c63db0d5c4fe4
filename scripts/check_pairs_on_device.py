#!/usr/bin/env python3
"""Checks pairs of modules and solutions on a GPU, many at once, and times them on the device, one at a time.

    check_pairs_on_device.py FILE.jsonl [--processes 12] [--time] [--out FILE.checked.jsonl]

Each line of FILE has "id", "pytorch_code" and "output" or "solution". Module and solution are built with the same seed and run in fp32
(TF32 off) on the same inputs; their results must agree within 1e-4. The code is trusted: use it for pairs that the teacher wrote.
"""
import argparse
import collections
import json
import math
import multiprocessing
import multiprocessing.connection
import os
import re
import sys
import tempfile
import time

SEED = 42
OWN_KERNEL = re.compile(r"kernel\d")
FENCE = re.compile(r"```(?:python)?\n(.*?)```", re.S)


def solution_of(pair):
    text = pair.get("solution") or pair.get("output") or ""
    fenced = FENCE.search(text)
    return fenced.group(1) if fenced else text


# -- in the workers


class Worker:
    """Runs one pair after the other. Anything that may have broken the GPU's context ends the process: the next one gets a fresh one."""

    def __init__(self):
        import torch
        self.torch = torch
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        torch.set_float32_matmul_precision("highest")
        self.folder = tempfile.mkdtemp(prefix="pairs")
        self.count = 0
        self.flushed = None
        self.run_ahead = 4_000_000  # cycles: about 2 ms

    def load(self, source):
        import importlib.util
        self.count += 1
        path = os.path.join(self.folder, f"module{self.count}.py")  # a real file: Triton reads its kernels from it
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        spec = importlib.util.spec_from_file_location(f"module{self.count}", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module

    def class_of(self, module, wanted):
        for name in wanted:
            if name and isinstance(getattr(module, name, None), type):
                return getattr(module, name)
        own = [v for v in vars(module).values()
               if isinstance(v, type) and issubclass(v, self.torch.nn.Module) and v.__module__ == module.__name__]
        if not own:
            raise ValueError(f"no class named {' or '.join(filter(None, wanted))}")
        return own[-1]

    def init_arguments(self, task):
        given = task.get_init_inputs() if hasattr(task, "get_init_inputs") else []
        if isinstance(given, dict):
            return [], given
        if len(given) == 2 and isinstance(given[0], (list, tuple)) and isinstance(given[1], dict):
            return list(given[0]), given[1]
        return list(given), {}

    def moved(self, value):
        if isinstance(value, self.torch.Tensor):
            return value.cuda()
        if isinstance(value, (list, tuple)):
            return type(value)(self.moved(v) for v in value)
        if isinstance(value, dict):
            return {k: self.moved(v) for k, v in value.items()}
        return value

    def copied(self, value):
        if isinstance(value, self.torch.Tensor):
            return value.clone()
        if isinstance(value, (list, tuple)):
            return type(value)(self.copied(v) for v in value)
        if isinstance(value, dict):
            return {k: self.copied(v) for k, v in value.items()}
        return value

    def flat(self, value):
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, (list, tuple)):
            return [leaf for v in value for leaf in self.flat(v)]
        return [value]

    def both(self, pair):
        """Module, solution and inputs on the GPU."""
        torch = self.torch
        task = self.load(pair["pytorch_code"])
        candidate = self.load(solution_of(pair))
        entry = pair.get("entry_point") or "Model"
        torch.manual_seed(SEED)
        inputs = self.moved(task.get_inputs())
        inputs = [inputs] if isinstance(inputs, torch.Tensor) else inputs
        args, kwargs = self.init_arguments(task)
        made = []
        for module, names in ((task, [entry]), (candidate, ["ModelNew", entry + "New", entry])):
            torch.manual_seed(SEED)
            made.append(self.class_of(module, names)(*args, **kwargs).cuda())
        return made[0], made[1], inputs

    def run(self, model, inputs, seed=SEED):
        inputs = self.copied(inputs)
        self.torch.manual_seed(seed)
        with self.torch.no_grad():
            out = model(**inputs) if isinstance(inputs, dict) else model(*inputs)
        self.torch.cuda.synchronize()
        return self.flat(out)

    def check(self, pair, tolerance):
        torch = self.torch
        reference, candidate, inputs = self.both(pair)
        state = {k: v.clone() for k, v in reference.state_dict().items()}
        expected = self.run(reference, inputs)
        got = self.run(candidate, inputs)
        problem, worst = self.compare(expected, got, tolerance)
        if problem:
            reference.load_state_dict(state)
            again = self.run(reference, inputs, seed=SEED + 1)
            if self.compare(expected, again, tolerance)[0]:
                return {"status": "random", "error": worst, "message": "the module itself gives other values with another seed; " + problem}
            return {"status": "wrong", "error": worst, "message": problem}
        return {"status": "passed", "error": worst}

    def compare(self, expected, got, tolerance):
        """(what is wrong or "", the largest error)."""
        torch = self.torch
        if len(expected) != len(got):
            return f"{len(got)} results instead of {len(expected)}", None
        worst = 0.0
        for i, (a, b) in enumerate(zip(expected, got)):
            if not isinstance(a, torch.Tensor):
                if isinstance(a, (int, float, bool, str)) and a != b:
                    return f"result {i} is {b!r} instead of {a!r}", worst
                continue
            if not isinstance(b, torch.Tensor) or a.shape != b.shape or a.dtype != b.dtype:
                return f"result {i} is {getattr(b, 'dtype', type(b))}{list(getattr(b, 'shape', []))} instead of {a.dtype}{list(a.shape)}", worst
            if not a.is_floating_point() and not a.is_complex():
                if not torch.equal(a, b):
                    return f"result {i} differs in {int((a != b).sum())} of {a.numel()} integers", worst
                continue
            same = torch.isclose(b, a, atol=tolerance, rtol=tolerance, equal_nan=True)
            difference = torch.where(a == b, torch.zeros_like(a), b - a).abs().nan_to_num(0.0)
            if a.numel():
                worst = max(worst, float(difference.max()))
            if not bool(same.all()):
                return f"result {i}: {int((~same).sum())} of {a.numel()} values differ, by {float(difference.max()):.3g} at most", worst
        return "", worst

    def time(self, pair, repeats):
        torch = self.torch
        if self.flushed is None:
            self.flushed = torch.empty(64 << 20, dtype=torch.int32, device="cuda")  # more than any L2 cache
        reference, candidate, inputs = self.both(pair)
        return {"eager_ms": self.median_ms(reference, inputs, repeats), "solution_ms": self.median_ms(candidate, inputs, repeats),
                "kernels_ms": self.kernels_ms(candidate, inputs)}

    def kernels_ms(self, model, inputs, repeats=4):
        """Of one call, in the solution's own kernels alone."""
        torch = self.torch
        call = (lambda: model(**inputs)) if isinstance(inputs, dict) else (lambda: model(*inputs))
        with torch.no_grad(), torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
            for _ in range(repeats):
                self.flushed.zero_()
                call()
            torch.cuda.synchronize()
        return sum(e.device_time_total for e in profile.key_averages() if OWN_KERNEL.match(e.key)) / repeats / 1000

    def median_ms(self, model, inputs, repeats):
        torch = self.torch
        call = (lambda: model(**inputs)) if isinstance(inputs, dict) else (lambda: model(*inputs))
        with torch.no_grad():
            for _ in range(3):
                call()
            events = []
            for _ in range(repeats):
                self.flushed.zero_()
                torch.cuda._sleep(self.run_ahead)  # the host is ahead when the work begins: what is timed is the device
                begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                begin.record()
                call()
                end.record()
                events.append((begin, end))
            torch.cuda.synchronize()
        times = sorted(b.elapsed_time(e) for b, e in events)
        return times[len(times) // 2]


def serve(connection):
    worker = Worker()
    while True:
        try:
            kind, pair, value = connection.recv()
        except EOFError:
            return
        try:
            answer = worker.check(pair, value) if kind == "check" else worker.time(pair, value)
        except Exception as error:
            text = f"{type(error).__name__}: {error}"[:600]
            connection.send({"status": "raised", "message": text})
            if "CUDA" in text or "illegal" in text or "OutOfMemory" in text or "Triton Error" in text:
                return
            worker.torch.cuda.empty_cache()
            continue
        connection.send(answer)


# -- in the parent


class Pool:
    """Processes that are replaced when they hang or die. `each(pairs)` gives (index, answer) as they come."""

    def __init__(self, processes, timeout):
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(["torch", "triton"])
        self.size, self.timeout = processes, timeout
        self.idle, self.busy = [], {}

    def _start(self):
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=serve, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return ours, process

    def _end(self, connection, process):
        connection.close()
        process.kill()
        process.join()

    def each(self, kind, pairs, value):
        waiting = collections.deque(enumerate(pairs))
        while waiting or self.busy:
            while waiting and len(self.busy) < self.size:
                connection, process = self.idle.pop() if self.idle else self._start()
                index, pair = waiting.popleft()
                try:
                    connection.send((kind, pair, value))
                except (BrokenPipeError, OSError):  # it ended after its last answer
                    self._end(connection, process)
                    waiting.appendleft((index, pair))
                    continue
                # the first pair of a process pays for its CUDA context
                self.busy[connection] = (process, index, time.monotonic() + self.timeout)
            ready = multiprocessing.connection.wait(list(self.busy), timeout=0.5)
            for connection in list(self.busy):
                process, index, deadline = self.busy[connection]
                if connection in ready:
                    try:
                        answer = connection.recv()
                        self.idle.append((connection, process))
                    except (EOFError, OSError):
                        answer = {"status": "crashed", "message": f"its process ended with code {process.exitcode}"}
                        self._end(connection, process)
                elif time.monotonic() > deadline:
                    answer = {"status": "timeout", "message": f"no answer within {self.timeout:g} s"}
                    self._end(connection, process)
                else:
                    continue
                del self.busy[connection]
                yield index, answer

    def close(self):
        for connection, process in self.idle:
            self._end(connection, process)
        self.idle = []


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else float("nan")


def table(results):
    """Rows: all, then each family, policy, variant and level that the pairs name."""
    groups = collections.OrderedDict([("all", results)])
    for field in ("source", "family", "policy", "variant", "level"):
        for one in results:
            if one.get(field):
                groups.setdefault(f"{field} {one[field]}", []).append(one)
    lines = [f"{'':<24}{'pairs':>7}{'passed':>8}{'rate':>8}{'random':>8}{'timed':>7}{'speed-up':>10}{'faster':>8}"]
    for name, group in groups.items():
        passed = sum(one["status"] == "passed" for one in group)
        speeds = [one["eager_ms"] / one["solution_ms"] for one in group if one.get("solution_ms")]
        faster = f"{sum(s > 1 for s in speeds) / len(speeds):8.1%}" if speeds else f"{'-':>8}"
        mean = f"{geometric_mean(speeds):9.2f}x" if speeds else f"{'-':>10}"
        lines.append(f"{name:<24}{len(group):>7}{passed:>8}{passed / len(group):>8.1%}"
                     f"{sum(one['status'] == 'random' for one in group):>8}{len(speeds):>7}{mean}{faster}")
    return "\n".join(lines)


def read_pairs(path, limit):
    pairs = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or (limit and len(pairs) >= limit):
                continue
            pair = json.loads(line)
            if "pytorch_code" not in pair or not solution_of(pair):
                sys.exit(f"{path}, line {number}: needs pytorch_code, and output or solution")
            pair.setdefault("id", f"line {number}")
            pairs.append(pair)
    return pairs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--processes", type=int, default=12, help="that share the GPU while checking (default 12)")
    parser.add_argument("--timeout", type=float, default=90, help="seconds for one pair, compiling included (default 90)")
    parser.add_argument("--tolerance", type=float, default=1e-4, help="absolute and relative (default 1e-4)")
    parser.add_argument("--time", action="store_true", help="also time module and solution of what passed, one pair at a time")
    parser.add_argument("--repeats", type=int, default=20, help="of which the median is taken (default 20)")
    parser.add_argument("--most", type=int, default=0, help="only so many pairs (default: all)")
    parser.add_argument("--budget", type=float, default=0, help="seconds for everything; what is left then is not tried (default: none)")
    parser.add_argument("--out", help="JSON lines (default: FILE with .checked.jsonl)")
    options = parser.parse_args()
    pairs = read_pairs(options.file, options.most)
    out = options.out or os.path.splitext(options.file)[0] + ".checked.jsonl"
    os.environ.setdefault("TRITON_CACHE_DIR", tempfile.mkdtemp(prefix="triton"))
    began = time.monotonic()
    over = lambda: options.budget and time.monotonic() - began > options.budget  # noqa: E731
    kept = ("id", "source", "family", "policy", "variant", "level")
    results = [None] * len(pairs)

    pool = Pool(options.processes, options.timeout)
    for done, (index, answer) in enumerate(pool.each("check", pairs, options.tolerance), 1):
        results[index] = {**{k: pairs[index][k] for k in kept if k in pairs[index]}, **answer}
        if done % 100 == 0 or done == len(pairs):
            print(f"{done} of {len(pairs)} checked, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        if over():
            break
    pool.close()
    passed = [i for i, one in enumerate(results) if one and one["status"] == "passed"]
    if options.time:
        pool = Pool(1, options.timeout)
        for done, (at, answer) in enumerate(pool.each("time", [pairs[i] for i in passed], options.repeats), 1):
            results[passed[at]].update(answer if "solution_ms" in answer else {"timing": answer.get("message", "")})
            if done % 50 == 0:
                print(f"{done} of {len(passed)} timed, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
            if over():
                break
        pool.close()
    results = [one for one in results if one]
    with open(out, "w", encoding="utf-8") as file:
        for one in results:
            file.write(json.dumps(one) + "\n")
    print(table(results))
    for one in [one for one in results if one["status"] != "passed"][:20]:
        print(f"  {one['id']}: {one['status']}: {one.get('message', '')[:300]}")
    return 0 if all(one["status"] in ("passed", "random") for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
