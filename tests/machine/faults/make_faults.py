#!/usr/bin/env python3
"""Writes the faults for faults_test.cpp: NAME.json and NAME.bin as kernels/make_cases.py does, with a field "fault".

    make_faults.py --out DIR
"""
import argparse
import importlib
import json
import os
import pathlib
import sys

import numpy as np

_HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(_HERE.parent))
os.environ.pop("TRITON_INTERPRET", None)

from faults.fault import FAULTS  # noqa: E402
from kernels import case_program  # noqa: E402
from kernels import element_types as types  # noqa: E402

_MARK = "# fault"


def load():
    for path in sorted(_HERE.glob("*.py")):
        if path.stem not in ("__init__", "fault", "make_faults"):
            importlib.import_module(f"faults.{path.stem}")
    return FAULTS


def marked(program):
    """[file, line] of the marked line, its function and text; None if there is none."""
    found = []
    for kernel in program["kernels"]:
        for function in kernel["functions"]:
            for i, line in enumerate(function["source"].split("\n")):
                if line.rstrip().endswith(_MARK):
                    found.append({"function": function["name"], "at": [function["at"][0], function["at"][1] + i], "code": line.strip()})
    assert len(found) <= 1, f"{len(found)} marked lines"
    return found[0] if found else None


def write(one, out):
    plan = one.made()
    blob = bytearray()
    inputs = []
    for array in plan.arrays:
        if array.raw is not None:
            blob.extend(bytes(-len(blob) % 16))
            inputs.append({"storage": array.number, "offset": len(blob), "bytes": array.bytes})
            blob.extend(np.ascontiguousarray(array.raw).tobytes())
    pointers = [{"storage": a.number, "index": i, "to": v.array.number, "offset": v.offset * types.stored_as(v.array.dtype).itemsize}
                for a in plan.arrays for i, v in enumerate(a.pointers)]
    program = case_program.program_of(plan, one.name)
    record = {"name": one.name, "family": one.name.split("/")[0], "program": program, "inputs": inputs, "pointers": pointers, "expected": [],
              "fault": {"stage": one.stage, "kind": one.kind, "reason": one.reason, "line": marked(program), "machine_code": one.machine_code,
                        "options": one.options, "completes": one.completes}}
    stem = one.name.replace("/", ".")
    (out / (stem + ".bin")).write_bytes(blob)
    (out / (stem + ".json")).write_text(json.dumps(record))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    faults = load()
    for one in faults.values():
        write(one, options.out)
    print(f"{len(faults)} faults")


if __name__ == "__main__":
    main()
