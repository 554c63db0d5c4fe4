#!/usr/bin/env python3
"""Judges candidates with KernelBench's own evaluator, eval_kernel_against_ref, one fresh process each, as its batch evaluation does.

  run_kernelbench.py CHECKOUT SAMPLE.jsonl --out kernelbench.jsonl [--timeout 180] [--seconds 360]
  run_kernelbench.py CHECKOUT --check-import           says whether the evaluator can be imported here; needs no GPU

Nothing in CHECKOUT is changed. Packages that the evaluator imports but does not need for judging (clients of language models and such)
and that are not installed are replaced by empty stand-ins; `stand_ins` of each row names them.

A row: {"id", "compiled", "correct", "ended", "runtime_ms", "reference_ms", "seconds": {"whole", "torch", "evaluator", "evaluate"}, "limit_s",
"metadata", "log", "stand_ins"}. `ended` is "judged"; "timeout"; "died" (the process ended without a result); or "cut" (the time for all
ran out: not a verdict, its seconds are less than it would have taken).
"""
import argparse
import ast
import importlib
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import types

# What KernelBench's batch evaluation (scripts/eval_from_generations.py) and its published results use.
CORRECTNESS_TRIALS, PERFORMANCE_TRIALS, TIMEOUT_S = 5, 100, 180
EVALUATOR_FILES = ("__init__.py", "utils.py", "eval.py", "timing.py", "dataset.py")
LEAST_S = 10  # with less time left no candidate is begun: importing alone takes that long
LOG_BYTES = 2000


# The child: one candidate


class BaseModel:
    """What KernelBench uses of pydantic's class: fields with defaults, set by name."""

    def __init__(self, **values):
        for name in type(self).__annotations__:
            default = getattr(type(self), name, None)
            setattr(self, name, values.get(name, dict(default) if isinstance(default, dict) else default))


class StandIn(types.ModuleType):
    """A package that is imported and never needed. Whatever is asked of it is a function that does nothing."""

    def __init__(self, name):
        super().__init__(name)
        self.__spec__ = importlib.machinery.ModuleSpec(name, None)
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return BaseModel if (self.__name__, name) == ("pydantic", "BaseModel") else lambda *_, **__: None


def imported_names(file):
    """Modules that a file imports without condition as soon as it is imported itself."""
    for statement in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.level == 0:
            yield statement.module


def install_stand_ins(package):
    """Stand-ins for what is missing. Returns their names."""
    missing = []
    for name in sorted({n for f in EVALUATOR_FILES if (package / f).exists() for n in imported_names(package / f)}):
        top = name.split(".")[0]
        if top == package.name or top in sys.stdlib_module_names or (top not in missing and importlib.util.find_spec(top)):
            continue
        parts = name.split(".")
        for depth in range(1, len(parts) + 1):
            sys.modules.setdefault(".".join(parts[:depth]), StandIn(".".join(parts[:depth])))
        if top not in missing:
            missing.append(top)
    return missing


def import_evaluator(checkout):
    """KernelBench's evaluator, the stand-ins that it needed, and seconds for torch and for itself."""
    begin = time.monotonic()
    import torch  # before the stand-ins: torch looks for some of these packages itself
    torch_done = time.monotonic()
    package = checkout.resolve() / "src" / "kernelbench"
    if not (package / "eval.py").exists():
        sys.exit(f"{package}/eval.py is missing: CHECKOUT must be a clone of KernelBench from 2026 on")
    sys.dont_write_bytecode = True  # the checkout stays as it is
    stand_ins = install_stand_ins(package)
    sys.path.insert(0, str(package.parent))
    evaluator = importlib.import_module("kernelbench.eval")
    return torch, evaluator, stand_ins, {"torch": torch_done - begin, "evaluator": time.monotonic() - torch_done}


def evaluate(torch, evaluator, job):
    """As evaluate_single_sample of KernelBench's batch evaluation calls it and reads its errors."""
    device = torch.device("cuda:0")
    try:
        return evaluator.eval_kernel_against_ref(
            original_model_src=job["task_source"], custom_model_src=job["code"], measure_performance=True, timing_method="cuda_event",
            verbose=False, num_correct_trials=job["correctness_trials"], num_perf_trials=job["performance_trials"], build_dir=None,
            device=device, backend="triton", precision=torch.float32)
    except Exception as error:
        key = "cuda_error" if "CUDA error" in str(error) else "other_error"
        return evaluator.KernelExecResult(compiled=False, correctness=False,
                                          metadata={key: str(error), f"{key}_name": evaluator.get_error_name(error)})


def plain(value):
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def child(result_file):
    job = json.load(sys.stdin)
    torch, evaluator, stand_ins, seconds = import_evaluator(pathlib.Path(job["checkout"]))
    if not torch.cuda.is_available():  # the evaluator's assertion would read as the candidate's fault
        pathlib.Path(result_file).write_text(json.dumps({"no_device": True}), encoding="utf-8")
        return
    begin = time.monotonic()
    result = evaluate(torch, evaluator, job)
    seconds["evaluate"] = time.monotonic() - begin
    row = {"stand_ins": stand_ins, "seconds": seconds}
    if result is None:  # it suspects a lock of another compilation and wants to be called again
        row.update(compiled=None, correct=None, runtime_ms=None, reference_ms=None, metadata={"error": "the evaluator asks for a retry"})
    else:
        row.update(compiled=result.compiled, correct=result.correctness, metadata=plain(result.metadata),
                   runtime_ms=result.runtime if result.runtime > 0 else None,
                   reference_ms=result.ref_runtime if result.ref_runtime > 0 else None)
    pathlib.Path(result_file).write_text(json.dumps(row), encoding="utf-8")


# The parent: no torch, so that it holds nothing of the device


def run_child(job, limit, folder):
    """Runs one candidate in a process group of its own that dies whole. Returns seconds, whether it was in time, its result and log."""
    result_file, log_file = folder / "result.json", folder / "log.txt"
    result_file.unlink(missing_ok=True)
    environment = dict(os.environ, TRITON_CACHE_DIR=str(folder / "triton"))  # empty at first: repeated runs must compile as the first did
    begin = time.monotonic()
    with open(log_file, "wb") as log:
        process = subprocess.Popen([sys.executable, __file__, "--child", str(result_file)], stdin=subprocess.PIPE, stdout=log, stderr=log,
                                   start_new_session=True, env=environment)
        in_time = True
        try:
            process.communicate(json.dumps(job).encode(), timeout=limit)
        except subprocess.TimeoutExpired:
            in_time = False
        finally:
            kill_group(process)
    whole = time.monotonic() - begin
    result = json.loads(result_file.read_text(encoding="utf-8")) if in_time and result_file.exists() else None
    log_tail = log_file.read_bytes()[-LOG_BYTES:].decode(errors="replace")
    return whole, in_time, process.returncode, result, log_tail


def kill_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def judge(candidate, arguments, limit, folder):
    task = pathlib.Path(arguments.checkout, candidate["task"])  # an absolute path stays itself
    job = {"checkout": str(arguments.checkout), "task_source": task.read_text(encoding="utf-8"), "code": candidate["code"],
           "correctness_trials": arguments.correctness_trials, "performance_trials": arguments.performance_trials}
    whole, in_time, code, result, log = run_child(job, limit, folder)
    row = {"id": candidate["id"], "compiled": False, "correct": False, "ended": "judged", "runtime_ms": None, "reference_ms": None,
           "seconds": {}, "limit_s": limit, "metadata": {}, "stand_ins": []}
    if result and "no_device" in result:
        sys.exit("KernelBench's evaluator needs a CUDA device, and torch sees none")
    if result:
        row.update(result)
    elif in_time:
        row.update(ended="died", metadata={"error": f"the process ended with {code} and no result"})
    elif limit < arguments.timeout:
        row.update(ended="cut", compiled=None, correct=None, metadata={"error": "the time for all candidates ran out"})
    else:
        row.update(ended="timeout", metadata={"error": "Evaluation timed out"})
    row["seconds"] = {"whole": round(whole, 3), **{k: round(v, 3) for k, v in row["seconds"].items()}}
    if not row["correct"]:
        row["log"] = log
    return row


def judge_all(candidates, arguments):
    begin = time.monotonic()
    with open(arguments.out, "w", encoding="utf-8") as out, tempfile.TemporaryDirectory() as folder:
        for number, candidate in enumerate(candidates, 1):
            left = arguments.seconds - (time.monotonic() - begin) if arguments.seconds else arguments.timeout
            if left < LEAST_S:
                print(f"stopped after {number - 1} of {len(candidates)}: the {arguments.seconds:g} s are spent")
                return
            row = judge(candidate, arguments, min(arguments.timeout, left), pathlib.Path(folder))
            out.write(json.dumps(row) + "\n")
            out.flush()  # what is there stays there, whatever happens to the next one
            print(f"{number}/{len(candidates)} {row['id']}: {row['ended']}, compiled {row['compiled']}, correct {row['correct']}, "
                  f"{row['seconds']['whole']:.1f} s", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("checkout", type=pathlib.Path, nargs="?")
    options.add_argument("sample", type=pathlib.Path, nargs="?")
    options.add_argument("--out", type=pathlib.Path)
    options.add_argument("--timeout", type=float, default=TIMEOUT_S, help="seconds for one candidate (default: KernelBench's)")
    options.add_argument("--seconds", type=float, default=0, help="for all of them (default: no limit)")
    options.add_argument("--correctness-trials", type=int, default=CORRECTNESS_TRIALS)
    options.add_argument("--performance-trials", type=int, default=PERFORMANCE_TRIALS)
    options.add_argument("--check-import", action="store_true")
    options.add_argument("--child", help=argparse.SUPPRESS)
    arguments = options.parse_args()
    if arguments.child:
        return child(arguments.child)
    if not arguments.checkout or not (arguments.check_import or (arguments.sample and arguments.out)):
        options.error("CHECKOUT and SAMPLE.jsonl --out FILE, or CHECKOUT --check-import")
    if arguments.check_import:
        torch, evaluator, stand_ins, seconds = import_evaluator(arguments.checkout)
        print(f"{evaluator.__file__} imported with torch {torch.__version__}, CUDA {torch.cuda.is_available()}; "
              f"torch {seconds['torch']:.1f} s, the rest {seconds['evaluator']:.1f} s; stand-ins: {', '.join(stand_ins) or 'none'}")
        return None
    with open(arguments.sample, encoding="utf-8") as file:
        judge_all([json.loads(line) for line in file], arguments)
    return None


if __name__ == "__main__":
    main()
