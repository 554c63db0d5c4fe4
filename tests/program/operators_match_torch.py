#!/usr/bin/env python3
"""Every row of src/program/operators.txt against the torch at hand: the same schema, defaults aside.

usage: operators_match_torch.py OPERATORS.txt          exit code 77: no torch, skipped
Torch 2.11 to 2.13 differ in a few operators: rows that this torch does not know, or knows with another schema, are listed, and a
few are allowed unless this is the version that the table was drafted with.
"""
import os
import re
import sys

SKIPPED = 77
MOST_UNKNOWN, MOST_CHANGED = 60, 30


def without_defaults(schema):
    schema = re.sub(r'="[^"]*"', "", schema)
    schema = re.sub(r"=\[[^\]]*\]", "", schema)
    return re.sub(r"=[^,)]+", "", schema)


def find_torch():
    try:
        import torch
        return torch
    except ImportError:
        return None


def main():
    other = os.environ.get("TRITONRL_PYTHON")
    if other and other != sys.executable:
        os.execve(other, [other, *sys.argv], {k: v for k, v in os.environ.items() if k != "TRITONRL_PYTHON"})
    torch = find_torch()
    if torch is None:
        print("no torch in", sys.executable)
        sys.exit(SKIPPED)
    lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
    drafted_with = re.search(r"torch (\d+\.\d+)", lines[1]).group(1)
    rows = [line.split(" ", 2)[2] for line in lines if line and not line.startswith("#")]
    unknown, changed = [], []
    for schema in rows:
        name, _, overload = schema.partition("(")[0].removeprefix("aten::").partition(".")
        op = getattr(getattr(torch.ops.aten, name, None), overload or "default", None)
        if op is None:
            unknown.append(schema)
        elif without_defaults(str(op._schema)) != without_defaults(schema):
            changed.append(f"{schema}\n    torch: {op._schema}")
    print(f"torch {torch.__version__}: {len(rows)} rows, {len(unknown)} unknown, {len(changed)} changed")
    print(*unknown, *changed, sep="\n")
    exact = torch.__version__.startswith(drafted_with + ".")
    failed = (unknown or changed) if exact else len(unknown) > MOST_UNKNOWN or len(changed) > MOST_CHANGED
    sys.exit(1 if failed else 0)


main()
