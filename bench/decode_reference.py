"""Times transformers' generate on a model and prompts that bench_decode_speed wrote.

usage: decode_reference.py FOLDER NEW_TOKENS THREADS   prints the seconds of the faster of two runs; writes tokens.safetensors
"""
import pathlib
import sys
import time

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

folder, new_tokens = pathlib.Path(sys.argv[1]), int(sys.argv[2])
torch.set_num_threads(int(sys.argv[3]))
model = AutoModelForCausalLM.from_pretrained(folder / "model", dtype=torch.float32).eval()
model.generation_config.eos_token_id = None
prompts = load_file(folder / "prompts.safetensors")["prompts"]


def run(count):
    start = time.perf_counter()
    with torch.inference_mode():
        out = model.generate(prompts, attention_mask=torch.ones_like(prompts), max_new_tokens=count, do_sample=False,
                             pad_token_id=0)
    return time.perf_counter() - start, out


run(4)
seconds, out = min((run(new_tokens) for _ in range(2)), key=lambda r: r[0])
save_file({"tokens": out[:, prompts.shape[1]:].contiguous()}, folder / "tokens.safetensors")
print(seconds)
