#!/usr/bin/env python3
"""Compiles every launch of every case with the installed Triton: no GPU is needed.

    compile_cases.py [--stage ttir|cubin] [--only NAME...] [--jobs N]
"""
import argparse
import concurrent.futures.process
import multiprocessing
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import triton  # noqa: E402
from triton._C.libtriton import ir  # noqa: E402
from triton.compiler import ASTSource  # noqa: E402

from kernels import case_program, families  # noqa: E402


def ttir_of(source, bound):
    backend, target = case_program.backend(), case_program.TARGET
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    given = (bound.options, backend.get_codegen_implementation(bound.options), backend.get_module_map(), context)
    try:
        return source.make_ir(target, *given)
    except TypeError:  # 3.6
        return source.make_ir(*given)


def ttir_texts(plan):
    """Each launch's IR after Triton's own passes on it."""
    for launch in plan.launches:
        bound = case_program.Bound(launch)
        module = ttir_of(ASTSource(launch.kernel, bound.signature, bound.constants, bound.attributes), bound)
        yield case_program.backend().make_ttir(module, {}, bound.options, case_program.TARGET.arch).str()


def compile_case(name, stage):
    """Seconds and None, or why it failed."""
    began = time.time()
    try:
        for launch in families.load()[name].made().launches:
            bound = case_program.Bound(launch)
            source = ASTSource(launch.kernel, bound.signature, bound.constants, bound.attributes)
            if stage == "ttir":
                ttir_of(source, bound)
            else:
                triton.compile(source, target=case_program.TARGET, options=bound.options.__dict__)
        return name, time.time() - began, None
    except Exception as error:
        return name, time.time() - began, f"{type(error).__name__}: {str(error)[:800]}"


def compile_all(names, jobs, report, stage="cubin"):
    """By processes that start fresh: threads of the parent do not survive a fork."""
    times = {}
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(jobs, mp_context=context) as pool:
        for done in concurrent.futures.as_completed([pool.submit(compile_case, n, stage) for n in names]):
            try:
                name, seconds, why = done.result()
            except concurrent.futures.process.BrokenProcessPool as error:  # a process died, and the others are ended
                report("one of them", str(error))
                break
            times[name] = seconds
            if why:
                report(name, why)
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stage", default="cubin")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    names = list(families.chosen(options.only))
    failed = []

    def report(name, why):
        failed.append(name)
        print(f"FAILED {name}: {why}", flush=True)
    began = time.time()
    times = compile_all(names, options.jobs, report, options.stage)
    slow = sorted(times.items(), key=lambda t: -t[1])[:5]
    print(f"Triton {triton.__version__}, {options.stage}: {len(names)} cases, {len(failed)} failures, {time.time() - began:.1f} s; slowest",
          ", ".join(f"{n} {s:.1f} s" for n, s in slow))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
