"""Executes generated modules: each must run, give finite numbers, and the same ones in float64.

    write_modules 300 1 | check_modules.py [--show]
    check_modules.py --writer write_modules --count 300

Prints what failed and how; exits with 1 if more than `--allow` of them did (default 0).
"""
import argparse
import ast
import copy
import json
import subprocess
import sys
import traceback

import torch

TOLERANCE = 1e-4


def tensors_of(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in tensors_of(item)]
    return []


def to_double(value):
    if isinstance(value, torch.Tensor):
        return value.double() if value.is_floating_point() else value.clone()
    return value


def copied(value):
    return value.clone() if isinstance(value, torch.Tensor) else value


def failure_of(text):
    """What is wrong with the module; None if nothing."""
    ast.parse(text)
    scope = {"__name__": "generated"}
    exec(compile(text, "<module>", "exec"), scope)
    torch.manual_seed(42)
    model = scope["Model"](*scope["get_init_inputs"]())
    inputs = scope["get_inputs"]()
    precise = copy.deepcopy(model).double()
    before = [copied(value) for value in inputs]
    with torch.no_grad():
        # What a constant starts as must not matter: parameters are moved a little.
        for one, other in zip(model.parameters(), precise.parameters()):
            one.add_(torch.randn_like(one) * 0.05)
            other.copy_(one.double())
        got = tensors_of(model(*[copied(value) for value in inputs]))
        expected = tensors_of(precise(*[to_double(value) for value in inputs]))
    if not got:
        return "no tensor comes back"
    for one, other in zip(got, expected):
        if not torch.isfinite(one.float()).all():
            return "not finite"
        if one.shape != other.shape:
            return "shapes differ"
        error = (one.double() - other.double()).abs()
        bound = TOLERANCE * 0.3 + TOLERANCE * 0.3 * other.double().abs()
        if one.numel() and (error > bound).any():
            return "ill determined: error %.2e of %.2e" % (error.max().item(), other.abs().double().max().item())
        if one.numel() > 1 and one.is_floating_point() and other.std() == 0:
            return "constant"
    for one, other in zip(before, inputs):
        if isinstance(one, torch.Tensor) and not torch.equal(one, other):
            return "an input was changed"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--allow", type=float, default=0)
    parser.add_argument("--writer", help="the program that writes the modules, instead of stdin")
    parser.add_argument("--count", default="300")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    count, failed, kinds = 0, 0, {}
    lines = sys.stdin
    if arguments.writer:
        lines = subprocess.run([arguments.writer, arguments.count, "7"], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    for line in lines:
        row = json.loads(line)
        count += 1
        try:
            failure = failure_of(row["module"])
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            failure = "%s: %s (line %s)" % (type(error).__name__, str(error).split("\n")[0][:150], place.lineno)
        if failure:
            failed += 1
            kind = failure.split(":")[0]
            kinds[kind] = kinds.get(kind, 0) + 1
            print(row["id"], failure)
            if arguments.show:
                print(ast.unparse(ast.parse(row["module"])) if not failure.startswith("Syntax") else row["module"])
    print("%d of %d modules failed" % (failed, count), kinds)
    return 1 if failed > arguments.allow * count else 0


if __name__ == "__main__":
    sys.exit(main())
