#!/usr/bin/env python3
"""Remakes tests/train/goldens: what torch's optimizers, and transformers with peft, make of the same data.

usage: make_training_goldens.py [optimizers] [run]   (both unless one is named; `run` needs transformers and peft, see reference_python.sh)

optimizers.safetensors: five steps of torch.optim.AdamW, and of torch.optim.Muon for matrices with AdamW for the rest.
run/: a small model, its data, and fifty steps of training a LoRA adapter: losses, gradient norms, the adapter at the end.
"""
import math
import pathlib
import shutil
import sys

import torch
from safetensors.torch import save_file

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests/train/goldens"


def optimizers():
    generator = torch.Generator().manual_seed(7)
    shapes = {"joined_a": (16, 12), "joined_b": (16, 12), "tall": (24, 10), "table": (9, 12), "vector": (12,)}
    start = {name: torch.randn(shape, generator=generator) for name, shape in shapes.items()}
    gradients = [{name: torch.randn(shape, generator=generator) for name, shape in shapes.items()} for _ in range(5)]
    saved = {f"start.{name}": value for name, value in start.items()}
    for step, named in enumerate(gradients):
        saved.update({f"gradient{step}.{name}": value for name, value in named.items()})
    parts = {"joined_a": (8, 4, 4), "joined_b": (8, 4, 4), "tall": (24,)}
    for kind in ("adamw", "muon"):
        # torch's Muon takes one matrix at a time: the parts of joined ones are parameters of their own
        leaves = {name: [p.clone().requires_grad_() for p in (value.split(parts[name]) if name in parts else [value])]
                  for name, value in start.items()}
        matrices = [p for name in parts for p in leaves[name]]
        plain = dict(lr=0.01, betas=(0.9, 0.95), eps=1e-8)
        rest = [{"params": leaves["table"], "weight_decay": 0.1}, {"params": leaves["vector"], "weight_decay": 0.0}]
        if kind == "adamw":
            steppers = [torch.optim.AdamW(rest + [{"params": matrices, "weight_decay": 0.1}], **plain)]
        else:
            steppers = [torch.optim.AdamW(rest, **plain),
                        torch.optim.Muon(matrices, lr=0.01, weight_decay=0.1, momentum=0.95, adjust_lr_fn="match_rms_adamw")]
        for named in gradients:
            for name, value in named.items():
                for leaf, piece in zip(leaves[name], value.split(parts[name]) if name in parts else [value]):
                    leaf.grad = piece.clone()
            for stepper in steppers:
                stepper.step()
        saved.update({f"{kind}.{name}": torch.cat([p.detach() for p in pieces]) for name, pieces in leaves.items()})
    FOLDER.mkdir(parents=True, exist_ok=True)
    save_file(saved, FOLDER / "optimizers.safetensors")
    print(f"optimizers: {(FOLDER / 'optimizers.safetensors').stat().st_size // 1024} KiB")


STEPS, SEQUENCES = 50, 4
PEAK, WARMUP, FINAL, CLIP = 1e-2, 0.1, 0.1, 0.5


def rate(step):
    """src/train/schedule.h."""
    rising = math.ceil(WARMUP * STEPS)
    if step < rising:
        return (step + 1) / rising
    return FINAL + (1 - FINAL) * 0.5 * (1 + math.cos(math.pi * (step - rising) / (STEPS - 1 - rising)))


def sequences(generator):
    """Counting in steps of different widths, so that there is something to learn; the first third is a prompt."""
    drawn = []
    for _ in range(STEPS * SEQUENCES):
        length, begin, width = (int(torch.randint(low, high, (1,), generator=generator)) for low, high in ((6, 40), (0, 128), (1, 6)))
        drawn.append((begin + width * torch.arange(length)) % 128)
    return drawn


def run():
    from peft import LoraConfig, get_peft_model
    from transformers import Qwen2Config, Qwen2ForCausalLM
    folder = FOLDER / "run"
    shutil.rmtree(folder, ignore_errors=True)
    torch.manual_seed(11)
    model = Qwen2ForCausalLM(Qwen2Config(vocab_size=128, hidden_size=96, intermediate_size=256, num_hidden_layers=3, num_attention_heads=4,
                                         num_key_value_heads=2, max_position_embeddings=64, tie_word_embeddings=True))
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(3)  # livelier than fresh weights
            parameter.copy_(parameter.bfloat16().float())
    model.to(torch.bfloat16).save_pretrained(folder)
    model = Qwen2ForCausalLM.from_pretrained(folder, dtype=torch.float32)
    lora = get_peft_model(model, LoraConfig(r=8, lora_alpha=16, lora_dropout=0.0, task_type="CAUSAL_LM", target_modules=[
        "q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]))
    lora.peft_config["default"].base_model_name_or_path = "run"
    lora.train()
    lora.save_pretrained(folder / "start")
    trained = [p for p in lora.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=PEAK, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    tokens = sequences(torch.Generator().manual_seed(5))
    losses, norms = [], []
    for step in range(STEPS):
        batch = tokens[step * SEQUENCES:(step + 1) * SEQUENCES]
        total, count = 0, 0
        for sequence in batch:
            labels = sequence.clone()
            labels[:max(1, len(sequence) // 3)] = -100
            valid = int((labels[1:] != -100).sum())
            total = total + lora(input_ids=sequence[None], labels=labels[None]).loss * valid
            count += valid
        loss = total / count
        optimizer.zero_grad()
        loss.backward()
        norms.append(torch.nn.utils.clip_grad_norm_(trained, CLIP).detach())
        optimizer.step()
        schedule.step()
        losses.append(loss.detach())
    lora.save_pretrained(folder / "end")
    for name in ("start", "end"):
        (folder / name / "README.md").unlink(missing_ok=True)
    save_file({"tokens": torch.cat(tokens), "lengths": torch.tensor([len(t) for t in tokens]), "losses": torch.stack(losses),
               "gradient_norms": torch.stack(norms)}, folder / "expected.safetensors")
    size = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) // 1024
    print(f"run: {size} KiB, {sum(p.numel() for p in model.parameters())} parameters, loss {float(losses[0]):.4f} to {float(losses[-1]):.4f}")


chosen = sys.argv[1:] or ["optimizers", "run"]
for name in chosen:
    {"optimizers": optimizers, "run": run}[name]()
