#!/usr/bin/env python3
"""Writes the cases as NAME.json and NAME.bin for kernel_cases_test.cpp.

    make_cases.py --out DIR [--expect reference,interpreter,recorded,gpu] [--only NAME...] [--jobs N] [--ir] [--record FILE]

NAME.json: name, family, program (docs/program-format.md), `inputs` (contents of storages), `pointers` (elements of storages that
are addresses), `expected` (contents of storages afterwards, from whom, and how close). Offsets are into NAME.bin. `gpu` runs the
compiled kernels here, and --record keeps their outputs; `recorded` takes the outputs kept in gpu_outputs.npz. Results of the
interpreter and the GPU are also held against the reference. --ir: also NAME.LAUNCH.ttir. Exit code 1 if any case failed."""
import argparse
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

_HERE = pathlib.Path(__file__).resolve().parent
_CONTEXT_LOST = 3  # of execute_cases.py: a case broke the GPU's context and was reported
sys.path.insert(0, str(_HERE.parent))
os.environ.pop("TRITON_INTERPRET", None)  # this process compiles

from kernels import case_program, compare, families, recorded_outputs  # noqa: E402
from kernels import element_types as types  # noqa: E402


def run_elsewhere(kind, names, folder, jobs, report):
    """Executes the cases in child processes; one that dies or hangs costs its own case."""
    shares = [names[i::jobs] for i in range(jobs)]
    threads = [threading.Thread(target=_run_share, args=(kind, share, folder, report)) for share in shares if share]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _run_share(kind, names, folder, report):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    if kind == "interpreter":
        environment["TRITON_INTERPRET"] = "1"
    patience = 45 if kind == "gpu" else 120
    remaining = list(names)
    while remaining:
        log = tempfile.TemporaryFile()
        child = subprocess.Popen([sys.executable, str(_HERE / "execute_cases.py"), "cuda" if kind == "gpu" else "cpu", folder, *remaining],
                                 stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        lines = queue.Queue()
        reader = threading.Thread(target=lambda: [lines.put(line.rstrip("\n")) for line in child.stdout] + [lines.put(None)])
        reader.start()
        current, why = None, ""
        while True:
            try:
                line = lines.get(timeout=patience)
            except queue.Empty:
                child.kill()
                why = f"no answer for {patience} s"
                continue
            if line is None:
                break
            word, _, rest = line.partition(" ")
            if word == "start":
                current = rest
            elif word in ("done", "failed"):
                if word == "failed":
                    report(kind, current, rest.partition(": ")[2])
                remaining.remove(current)
                current = None
        reader.join()
        child.wait()
        if remaining and child.returncode != _CONTEXT_LOST:  # it died on `current`, or before the first
            log.seek(0)
            tail = log.read().decode(errors="replace")[-600:]
            lost = current or remaining[0]
            report(kind, lost, why or f"the process ended with {child.returncode}: {tail}")
            remaining.remove(lost)


def write(case, plan, program, kinds, results, out, report):
    blob = bytearray()

    def put(raw):
        blob.extend(bytes(-len(blob) % 16))
        offset = len(blob)
        blob.extend(np.ascontiguousarray(raw).tobytes())
        return {"offset": offset, "bytes": len(blob) - offset}

    inputs = [{"storage": a.number, **put(a.raw)} for a in plan.arrays if a.raw is not None]
    pointers = [{"storage": a.number, "index": i, "to": v.array.number, "offset": v.offset * types.stored_as(v.array.dtype).itemsize}
                for a in plan.arrays for i, v in enumerate(a.pointers)]
    expected = []
    for i, e in enumerate(plan.expectations):
        reference = np.ascontiguousarray(types.encode(e.values, e.array.dtype))

        def add(source, raw, limits):
            expected.append({"from": source, "storage": e.array.number, "dtype": e.array.dtype, **put(raw),
                             "rtol": limits[0], "atol": limits[1]})
        if "reference" in kinds:
            add("reference", reference, e.limits)
        for kind, limits in (("interpreter", e.interpreter), ("gpu", e.gpu)):
            if kind not in results:
                continue
            raw = results[kind][str(i)].view(types.stored_as(e.array.dtype)).reshape(e.array.shape)
            ratio = compare.worst(raw, reference, e.array.dtype, limits)
            if ratio > 1:
                report(kind, case.name, f"output {i} ({e.array.dtype}) differs from the reference by {ratio:.3g} times what is allowed")
            add(kind, raw, limits)
    record = {"name": case.name, "family": case.family, "program": program,
              "inputs": inputs, "pointers": pointers, "expected": expected}
    stem = out / case.name.replace("/", ".")
    stem.with_name(stem.name + ".bin").write_bytes(blob)
    stem.with_name(stem.name + ".json").write_text(json.dumps(record))


def execute(kinds, cases, folder, jobs, report):
    """Has the cases executed by those of `kinds` that do; their outputs are then in folders of that name."""
    for kind in ("interpreter", "gpu"):
        if kind not in kinds:
            continue
        began = time.time()
        names = [n for n, c in cases.items() if not getattr(c, "no_" + kind)]
        if kind == "gpu":  # compiling is most of the work: by all cores, into Triton's cache
            from kernels import compile_cases
            compile_cases.compile_all(names, jobs, lambda name, why: report("compile", name, why))
        pathlib.Path(folder, kind).mkdir()
        run_elsewhere(kind, names, str(pathlib.Path(folder, kind)), min(jobs, 8), report)
        print(f"{kind}: {len(names)} cases, {time.time() - began:.1f} s", flush=True)


def collect(case, folder):
    results = {}
    for kind in ("interpreter", "gpu"):
        path = pathlib.Path(folder, kind, case.name.replace("/", ".") + ".npz")
        if path.exists():
            results[kind] = dict(np.load(path))
    return results


def write_all(cases, folder, options, report):
    kinds = options.expect.split(",")
    recorded = recorded_outputs.Recorded(recorded_outputs.STANDARD)
    to_record, missing = {}, []
    for case in cases.values():
        try:
            results = collect(case, folder)
            plan = case.made()
            program = case_program.program_of(plan, case.name)
            key = recorded_outputs.fingerprint(plan, program["kernels"])
            if "gpu" in results:
                to_record[case.name] = (key, results["gpu"])
            elif "recorded" in kinds and not case.no_gpu:
                kept = recorded.find(case.name, key)
                if kept is None:
                    missing.append(case.name)
                else:
                    results["gpu"] = kept
            write(case, plan, program, kinds, results, options.out, report)
            if options.ir:
                from kernels import compile_cases
                for i, text in enumerate(compile_cases.ttir_texts(plan)):
                    (options.out / f"{case.name.replace('/', '.')}.{i}.ttir").write_text(text)
        except Exception as error:
            report("write", case.name, f"{type(error).__name__}: {error}")
    if options.record:
        recorded_outputs.write(options.record, to_record)
    if missing and recorded.file:
        print(f"no outputs of a GPU are kept for {len(missing)} cases: {' '.join(missing[:10])}")


def standard_expectations():
    """Triton 3.6's interpreter makes Python numbers of arrays with one element, which numpy 2.4 no longer does."""
    import triton
    version = lambda module: tuple(int(part) for part in module.__version__.split(".")[:2])
    broken = version(triton) < (3, 7) and version(np) >= (2, 4)
    return "reference,recorded" if broken else "reference,interpreter,recorded"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--expect", default=standard_expectations())
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--ir", action="store_true")
    parser.add_argument("--record", type=pathlib.Path)
    options = parser.parse_args()
    cases = families.chosen(options.only)
    options.out.mkdir(parents=True, exist_ok=True)
    if not options.only:  # cases of an earlier corpus would be taken for ours
        for path in options.out.iterdir():
            if path.suffix in (".json", ".bin", ".ttir"):
                path.unlink()
    failures = {}

    def report(kind, name, why):
        failures.setdefault((name, kind), why)
        print(f"FAILED {name} ({kind}): {why}", flush=True)

    began = time.time()
    with tempfile.TemporaryDirectory() as folder:
        execute(options.expect.split(","), cases, folder, options.jobs, report)
        write_all(cases, folder, options, report)
    kernels = {launch.kernel.fn.__name__ for c in cases.values() for launch in c.made().launches}
    print(f"{len(cases)} cases of {len(kernels)} kernels, {len(failures)} failures, {time.time() - began:.1f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
