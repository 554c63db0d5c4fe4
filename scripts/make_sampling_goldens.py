#!/usr/bin/env python3
"""Writes tests/generate/goldens/filtered_distributions.json: what transformers' logits processors leave of random logits.

usage: make_sampling_goldens.py [OUT]     (a Python with torch and transformers)
"""
import json
import pathlib
import sys

import torch
from transformers.generation.logits_process import (
    LogitsProcessorList, MinPLogitsWarper, RepetitionPenaltyLogitsProcessor, TemperatureLogitsWarper, TopKLogitsWarper,
    TopPLogitsWarper)

VOCABULARY = 48
OFF = {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0, "repetition_penalty": 1.0}
CASES = [
    {}, {"temperature": 0.6}, {"temperature": 1.7}, {"top_k": 1}, {"top_k": 7}, {"top_k": 40}, {"top_k": 1000},
    {"top_p": 0.1}, {"top_p": 0.5}, {"top_p": 0.9}, {"top_p": 0.99}, {"min_p": 0.02}, {"min_p": 0.3}, {"min_p": 1.0},
    {"repetition_penalty": 1.3}, {"repetition_penalty": 0.8},
    {"temperature": 0.8, "top_k": 20, "top_p": 0.95}, {"temperature": 1.5, "top_p": 0.8, "min_p": 0.05},
    {"temperature": 0.7, "top_k": 10, "top_p": 0.7, "min_p": 0.1, "repetition_penalty": 1.1},
    {"temperature": 2.0, "top_k": 30, "top_p": 0.9, "min_p": 0.01, "repetition_penalty": 1.5},
]


def processors(options):
    """In the order of transformers' generate."""
    chain = LogitsProcessorList()
    if options["repetition_penalty"] != 1.0:
        chain.append(RepetitionPenaltyLogitsProcessor(options["repetition_penalty"]))
    if options["temperature"] != 1.0:
        chain.append(TemperatureLogitsWarper(options["temperature"]))
    if options["top_k"] != 0:
        chain.append(TopKLogitsWarper(options["top_k"]))
    if options["top_p"] < 1.0:
        chain.append(TopPLogitsWarper(options["top_p"]))
    if options["min_p"] > 0.0:
        chain.append(MinPLogitsWarper(options["min_p"]))
    return chain


def distribution(logits, past, options):
    return processors(options)(torch.tensor([past]), logits.unsqueeze(0).clone()).softmax(-1)[0]


def is_clear_cut(logits, past, options):
    """Whether the same tokens stay if a boundary moves by a rounding: only such cases compare implementations."""
    kept = distribution(logits, past, options) > 0
    for nudge in (-1e-5, 1e-5):
        near = dict(options)
        if options["top_p"] < 1.0:
            near["top_p"] += nudge
        if 0.0 < options["min_p"] < 1.0:
            near["min_p"] += nudge
        if not torch.equal(kept, distribution(logits, past, near) > 0):
            return False
    return True


def main():
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else
                       pathlib.Path(__file__).parent.parent / "tests/generate/goldens/filtered_distributions.json")
    generator = torch.Generator().manual_seed(7)
    rows = []
    for number, case in enumerate(CASES):
        options = OFF | case
        while True:
            logits = 3.0 * torch.randn(VOCABULARY, generator=generator)
            # Ties at the edge of top-k stay together; at the edge of top-p transformers' choice is arbitrary.
            logits = torch.round(logits, decimals=0 if number % 2 and options["top_p"] == 1.0 else 4)
            past = torch.randint(VOCABULARY, (12,), generator=generator).tolist()
            if is_clear_cut(logits, past, options):
                break
        expected = distribution(logits, past, options)
        rows.append(options | {"logits": [round(v, 4) for v in logits.tolist()], "past": past,
                               "probabilities": [float(f"{v:.7g}") for v in expected.tolist()]})
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
    print(f"{len(rows)} rows, {out.stat().st_size} bytes: {out.name}")


if __name__ == "__main__":
    main()
