#!/usr/bin/env python3
"""What torch offers and src/data/labels/operator_names.txt does not name: printed, and a failure if it is more than a few.

usage: operator_names_match_torch.py OPERATOR_NAMES.txt
"""
import inspect
import re
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

# No operators: containers (followed by the evaluator itself), abstract bases, parameters, helpers of torch's own code, names of
# dimensions.
NO_OPERATORS = set("""
Module Sequential ModuleList ModuleDict ParameterList ParameterDict Container Parameter Buffer UninitializedParameter
UninitializedBuffer TransformerEncoder TransformerDecoder LinearCrossEntropyOptions
Optional assert_int_or_pair boolean_dispatch handle_torch_function has_torch_function has_torch_function_unary
has_torch_function_variadic
as_subclass module_load new reinforce const_data_ptr is_distributed q_per_channel_axis q_per_channel_scales
q_per_channel_zero_points q_scale q_zero_point qscheme register_post_accumulate_grad_hook storage_type dim_order
align_as align_to has_names refine_names rename rename_
ccol_indices col_indices crow_indices row_indices indices values slice_inverse hash_tensor
""".split())
MOST_MISSING = 5


def read_spellings(path):
    functions, methods, layers = set(), set(), set()
    for line in open(path, encoding="utf-8"):
        if line.startswith("#") or not line.strip():
            continue
        name, _, *spellings = line.split()
        functions.add(name)
        for word in spellings:
            if word.startswith("nn."):
                layers.add(word[3:])
            elif word.startswith("."):
                methods.add(word[1:])
            elif "." not in word:
                functions.add(word)
    return functions, functions | methods, layers


def public(owner, wanted):
    return [n for n in dir(owner) if not n.startswith("_") and wanted(getattr(owner, n))]


def main():
    functions, methods, layers = read_spellings(sys.argv[1])
    in_place = lambda names: {n for n in names if not (n.endswith("_") and n[:-1] in methods)}
    plain = lambda thing: callable(thing) and not inspect.isclass(thing)
    offered = {
        "torch.nn": ({n for n in public(nn, inspect.isclass) if not n.startswith("Lazy")}, layers),
        "torch.nn.functional": (in_place(public(F, plain)), functions),
        "torch.linalg": (set(public(torch.linalg, plain)), functions | {"cond"}),
        "torch.fft": (set(public(torch.fft, plain)), functions),
        "torch.special": (set(public(torch.special, plain)), functions),
        "torch.Tensor": (in_place(public(torch.Tensor, callable)), methods),
    }
    missing = 0
    for owner, (names, known) in offered.items():
        lacking = sorted(names - known - NO_OPERATORS)
        print(f"{owner}: {len(names)} names, {len(lacking)} not in the table", *lacking)
        missing += len(lacking)
    # And the other way round: a class that torch.nn does not have is a slip of the pen.
    unreal = sorted(n for n in layers if not hasattr(nn, n) and not re.search(r"Dynamically", n))
    print("classes that torch.nn does not have:", *unreal)
    sys.exit(1 if missing > MOST_MISSING or len(unreal) > MOST_MISSING else 0)


main()
