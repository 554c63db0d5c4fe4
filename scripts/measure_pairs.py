"""Times the pairs of tests/python/corpus and examples on a GPU: reference, candidate and every kernel launch, at several sizes.

usage: measure_pairs.py OUT.json [--only NAME ...] [--sizes full,quarter] [--jobs 16]

bench/modelled_times reads the file and holds the modelled times against it. Times are device times: the work is captured in a CUDA
graph and replayed between two events, the L2 cache emptied before each replay; the median of the trials is kept.
"""
import argparse
import importlib.util
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import traceback

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRIALS = 25
SHRINK = {"full": 1, "half": 2, "quarter": 4, "sixteenth": 16}


def pairs():
    """Name, task file, candidate file, class of the task, class of the candidate, names of the constants that give the size."""
    corpus = ROOT / "tests/python/corpus"
    for name, row in json.loads((corpus / "corpus.json").read_text()).items():
        yield name, corpus / f"{name}.task.py", corpus / f"{name}.candidate.py", row
    for name, row in json.loads((corpus / "examples.json").read_text()).items():
        yield name, ROOT / f"examples/tasks/{name}.py", ROOT / f"examples/kernels/{name}.py", row


def resized(source, row, size):
    """The task with its largest size constant divided; None if that changes nothing."""
    if size == "full":
        return source, {}
    found = {k: re.search(rf"^{k}\s*=\s*(\d+)\s*$", source, re.M) for k in row.get("small", {})}
    values = {k: int(m.group(1)) for k, m in found.items() if m}
    if not values:
        return None, {}
    largest = max(values, key=values.get)
    value = values[largest] // SHRINK[size]
    if value < 2:
        return None, {}
    return re.sub(rf"^{largest}\s*=\s*\d+\s*$", f"{largest} = {value}", source, flags=re.M), {largest: value}


def load(source, name, folder):
    path = pathlib.Path(folder) / f"{name}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def to_device(value):
    import torch
    if isinstance(value, torch.Tensor):
        return value.cuda()
    if isinstance(value, (list, tuple)):
        return type(value)(to_device(v) for v in value)
    if isinstance(value, dict):
        return {k: to_device(v) for k, v in value.items()}
    return value


class Timer:
    def __init__(self):
        import torch
        self.torch = torch
        self.flush = torch.empty(256 << 20, dtype=torch.int8, device="cuda")

    def microseconds(self, work):
        torch = self.torch
        for _ in range(3):
            work()
        torch.cuda.synchronize()
        run = work
        how = "events"
        try:
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                work()
            torch.cuda.current_stream().wait_stream(stream)
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                work()
            run, how = graph.replay, "graph"
        except Exception:
            torch.cuda.synchronize()
        times = []
        for _ in range(TRIALS):
            self.flush.zero_()
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            run()
            end.record()
            torch.cuda.synchronize()
            times.append(begin.elapsed_time(end) * 1000)
        return statistics.median(times), how


def record_launches(work):
    """The kernel launches of one call: name, grid and a function that launches it again."""
    from triton.runtime.jit import JITFunction
    original, found = JITFunction.run, []

    def run(jit, *args, grid, warmup, **kwargs):
        result = original(jit, *args, grid=grid, warmup=warmup, **kwargs)
        if not warmup:
            names = dict(zip(jit.arg_names, args)) | kwargs
            size = list(grid(names) if callable(grid) else grid)
            constants = {k: v for k, v in kwargs.items() if isinstance(v, (bool, int, float, str))}
            found.append((jit.fn.__name__, [int(g) for g in size], constants,
                          lambda: original(jit, *args, grid=grid, warmup=False, **kwargs)))
        return result

    JITFunction.run = run
    try:
        work()
    finally:
        JITFunction.run = original
    return found


def build(name, task_file, candidate_file, row, size, folder):
    import torch
    source, constants = resized(task_file.read_text(), row, size)
    if source is None:
        return None
    task = load(source, f"task_{name}_{size}", folder)
    candidate = load(candidate_file.read_text(), f"candidate_{name}_{size}", folder)
    inits = task.get_init_inputs() if hasattr(task, "get_init_inputs") else []
    positional, named = (inits[0], inits[1]) if len(inits) == 2 and isinstance(inits[0], list) and isinstance(inits[1], dict) else (inits, {})
    models = []
    for cls in (getattr(task, row.get("entry", "Model")), getattr(candidate, row.get("candidate", "ModelNew"))):
        torch.manual_seed(42)
        models.append(cls(*positional, **named).cuda())
    torch.manual_seed(7)
    inputs = [to_device(x) for x in task.get_inputs()]
    return models[0], models[1], inputs, constants


def warm(name, size):
    """Compiles all kernels of a pair into Triton's cache; run in processes of their own."""
    for pair in pairs():
        if pair[0] == name:
            with tempfile.TemporaryDirectory() as folder:
                import torch
                made = build(*pair, size, folder)
                if made:
                    with torch.no_grad():
                        made[1](*made[2])
                    torch.cuda.synchronize()


def measure(pair, size, timer):
    import torch
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        made = build(*pair, size, folder)
        if made is None:
            return None
        reference, candidate, inputs, constants = made
        candidate(*inputs)
        launches = record_launches(lambda: candidate(*inputs))
        row = {"name": pair[0], "size": size, "constants": constants}
        row["reference_us"], row["reference_how"] = timer.microseconds(lambda: reference(*inputs))
        row["candidate_us"], row["candidate_how"] = timer.microseconds(lambda: candidate(*inputs))
        row["kernels"] = []
        for name, grid, constants, again in launches[:12]:
            microseconds, _ = timer.microseconds(again)
            row["kernels"].append({"name": name, "grid": grid, "constants": constants, "us": microseconds})
        return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--sizes", default="full,quarter")
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--warm", nargs=2)
    options = parser.parse_args()
    if options.warm:
        return warm(*options.warm)
    chosen = [p for p in pairs() if not options.only or p[0] in options.only]
    work = [(p, s) for p in chosen for s in options.sizes.split(",")]
    running = []
    for pair, size in work:
        running.append(subprocess.Popen([sys.executable, __file__, str(options.out), "--warm", pair[0], size],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        while sum(p.poll() is None for p in running) >= options.jobs:
            next(p for p in running if p.poll() is None).wait()
    for process in running:
        process.wait()

    import torch
    import triton
    timer = Timer()
    result = {"device": torch.cuda.get_device_name(), "torch": torch.__version__, "triton": triton.__version__, "pairs": [], "failed": {}}
    for pair, size in work:
        try:
            row = measure(pair, size, timer)
            if row:
                result["pairs"].append(row)
        except Exception as error:
            result["failed"][f"{pair[0]} {size}"] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            if "CUDA error" in str(error):
                traceback.print_exc()
        torch.cuda.empty_cache()
        options.out.write_text(json.dumps(result, indent=1))
    print(f"{len(result['pairs'])} measured, {len(result['failed'])} failed")
    for name, why in result["failed"].items():
        print(" ", name, why)


if __name__ == "__main__":
    main()
