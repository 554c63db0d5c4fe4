"""transformers' side of scripts/measure_device_model.sh.

usage: device_reference.py prepare FOLDER    a random model of Qwen2.5-7B's true shape (bf16), token ids, logits, speed
       device_reference.py compare FOLDER    our logits against them
"""
import pathlib
import sys
import time

import torch
from safetensors.torch import load_file, save_file

LENGTHS = [256, 100, 64, 7]
BATCH, PROMPT, NEW = 64, 512, 128
folder = pathlib.Path(sys.argv[2])


def logits_of(model, sequences):
    with torch.no_grad():
        return torch.cat([model(input_ids=s[None].cuda()).logits[0].float().cpu() for s in sequences])


def build():
    from transformers import Qwen2Config, Qwen2ForCausalLM
    config = Qwen2Config(vocab_size=152064, hidden_size=3584, intermediate_size=18944, num_hidden_layers=28,
                         num_attention_heads=28, num_key_value_heads=4, max_position_embeddings=32768,
                         rms_norm_eps=1e-6, tie_word_embeddings=False)
    torch.manual_seed(1)
    with torch.device("cuda"):
        torch.set_default_dtype(torch.bfloat16)
        model = Qwen2ForCausalLM(config).eval()
        torch.set_default_dtype(torch.float32)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name:
                parameter.normal_(1, 0.1)
            elif "bias" in name:
                parameter.normal_(0, 0.1)
    return model


def measure(model):
    prompts = torch.randint(0, 10000, (BATCH, PROMPT), device="cuda")
    with torch.inference_mode():
        def prefill():
            for part in prompts.split(16):
                model(input_ids=part, logits_to_keep=1)
            torch.cuda.synchronize()
        prefill()
        start = time.perf_counter()
        prefill()
        seconds = time.perf_counter() - start
        print(f"transformers prefill: {BATCH * PROMPT / seconds:.0f} tokens/s")
        model.generation_config.eos_token_id = None
        def generate(count):
            torch.cuda.synchronize()
            start = time.perf_counter()
            model.generate(prompts, attention_mask=torch.ones_like(prompts), max_new_tokens=count, do_sample=False,
                           pad_token_id=0)
            torch.cuda.synchronize()
            return time.perf_counter() - start
        generate(8)
        whole, short = generate(NEW), generate(8)
    print(f"transformers generate: {BATCH * NEW / whole:.0f} tokens/s whole, "
          f"{BATCH * (NEW - 8) / (whole - short):.0f} tokens/s decode alone ({(whole - short) * 1e3 / (NEW - 8):.1f} ms a step)")


def prepare():
    model = build()
    start = time.perf_counter()
    model.save_pretrained(folder / "model")
    print(f"saved in {time.perf_counter() - start:.0f} s")
    sequences = [torch.randint(0, 150000, (n,)) for n in LENGTHS]
    save_file({"tokens": torch.cat(sequences), "lengths": torch.tensor(LENGTHS)}, folder / "tokens.safetensors")
    low = logits_of(model, sequences)
    measure(model)
    save_file({"bf16": low, "fp32": logits_of(model.float(), sequences)}, folder / "theirs.safetensors")


def compare():
    theirs, scale = load_file(folder / "theirs.safetensors"), None
    scale = theirs["fp32"].abs().max()
    rms = lambda a, b: float((a - b).pow(2).mean().sqrt() / theirs["fp32"].pow(2).mean().sqrt())
    print(f"transformers bf16 from fp32: largest {float((theirs['bf16'] - theirs['fp32']).abs().max() / scale):.4f}, "
          f"rms {rms(theirs['bf16'], theirs['fp32']):.4f}")
    for name in sys.argv[3:]:
        ours = load_file(folder / f"{name}.safetensors")["logits"]
        same = float((ours.argmax(-1) == theirs["fp32"].argmax(-1)).float().mean())
        print(f"ours {name} from fp32: largest {float((ours - theirs['fp32']).abs().max() / scale):.4f}, "
              f"rms {rms(ours, theirs['fp32']):.4f}; from transformers' bf16: rms {rms(ours, theirs['bf16']):.4f}; "
              f"same likeliest token {100 * same:.1f} %")


prepare() if sys.argv[1] == "prepare" else compare()
