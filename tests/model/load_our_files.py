"""Loads a model, an adapter and a merged model that we saved, with transformers and peft, and compares logits.

usage: load_our_files.py FOLDER
"""
import pathlib
import sys

import torch
from peft import PeftModel
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

TOLERANCE = 1e-4
folder = pathlib.Path(sys.argv[1])
ours = load_file(folder / "ours.safetensors")
sequences = ours["tokens"].split(ours["lengths"].tolist())


def error(model):
    with torch.no_grad():
        logits = torch.cat([model.eval()(input_ids=s[None]).logits[0] for s in sequences])
    return float((logits - ours["logits"]).abs().max() / logits.abs().max())


base, info = AutoModelForCausalLM.from_pretrained(folder / "model", dtype=torch.float32, output_loading_info=True)
assert not info["missing_keys"] and not info["unexpected_keys"], info
without = error(base)
adapted = error(PeftModel.from_pretrained(base, folder / "adapter"))
merged = error(AutoModelForCausalLM.from_pretrained(folder / "merged", dtype=torch.float32))
print(f"relative error: adapter in peft {adapted:.1e}, merged in transformers {merged:.1e}, without adapter {without:.1e}")
sys.exit(0 if adapted < TOLERANCE and merged < TOLERANCE and without > 0.01 else 1)
