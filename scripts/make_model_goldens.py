#!/usr/bin/env python3
"""Remakes tests/model/goldens: small models with random weights, and what transformers and peft compute with them.

usage: make_model_goldens.py [CASE ...]   (all cases unless some are named; needs torch, transformers, peft, safetensors)

A folder a case: the model as transformers saves it (bf16, so that it is small), `adapter/` as peft saves it, and
expected.safetensors: packed token ids and labels, logits, losses, gradients of every LoRA matrix, a greedy continuation.
"""
import pathlib
import shutil
import sys

import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import save_file
from transformers import (AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM, Qwen3Config,
                          Qwen3ForCausalLM)

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests/model/goldens"
SHAPE = dict(vocab_size=96, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, max_position_embeddings=512, rms_norm_eps=1e-6)
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 64, "rope_theta": 500000.0}
LINEAR = {"rope_type": "linear", "factor": 2.0, "rope_theta": 10000.0}
CASES = {
    "qwen2_tied": lambda: Qwen2ForCausalLM(Qwen2Config(**SHAPE, tie_word_embeddings=True)),
    "qwen2_untied": lambda: Qwen2ForCausalLM(Qwen2Config(
        **SHAPE, tie_word_embeddings=False, rope_parameters={"rope_type": "default", "rope_theta": 1000000.0})),
    "llama_tied": lambda: LlamaForCausalLM(LlamaConfig(
        **SHAPE, head_dim=16, tie_word_embeddings=True, rope_parameters=LINEAR)),
    "llama_untied": lambda: LlamaForCausalLM(LlamaConfig(
        **SHAPE, head_dim=16, tie_word_embeddings=False, rope_parameters=LLAMA3)),
    "llama_biases": lambda: LlamaForCausalLM(LlamaConfig(
        **SHAPE, tie_word_embeddings=False, attention_bias=True, mlp_bias=True)),
    "qwen3_tied": lambda: Qwen3ForCausalLM(Qwen3Config(
        **SHAPE, head_dim=16, tie_word_embeddings=True, rope_parameters={"rope_type": "default", "rope_theta": 1000000.0})),
    "qwen3_untied": lambda: Qwen3ForCausalLM(Qwen3Config(
        **SHAPE, head_dim=16, tie_word_embeddings=False, attention_bias=True)),
}
LENGTHS = [13, 1, 7, 11]
MODULES = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def randomise(model, generator):
    """Initial weights are too tame: biases of zero and norms of one would hide a missing term."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            scale = 0.2 if "norm" in name or "bias" in name else 0.25
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * scale + (1 if "norm" in name else 0))
            parameter.copy_(parameter.bfloat16().float())


def logits_of(model, sequences):
    """Each sequence alone: what a packed batch must give too."""
    return torch.cat([model(input_ids=s[None]).logits[0].float() for s in sequences])


def summed_loss(model, sequences, labels):
    total, count = 0, 0
    for tokens, label in zip(sequences, labels):
        valid = int((label[1:] != -100).sum())
        if valid:
            total = total + model(input_ids=tokens[None], labels=label[None]).loss * valid
            count += valid
    return total / count


def make(name, build, seed):
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    generator = torch.Generator().manual_seed(seed)
    model = build().eval()
    randomise(model, generator)
    shards = "40KB" if name == "qwen2_untied" else "1GB"
    model.to(torch.bfloat16).save_pretrained(folder, max_shard_size=shards)
    sequences = [torch.randint(0, SHAPE["vocab_size"], (n,), generator=generator) for n in LENGTHS]
    labels = [s.clone() for s in sequences]
    labels[0][:5] = -100
    labels[3][:4] = -100
    expected = {"tokens": torch.cat(sequences), "labels": torch.cat(labels), "lengths": torch.tensor(LENGTHS)}

    low = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16).eval()
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    with torch.no_grad():
        expected["logits"] = logits_of(model, sequences)
        expected["logits_bf16"] = logits_of(low, sequences)
        expected["loss"] = summed_loss(model, sequences, labels)
        model.generation_config.eos_token_id = None  # always 200 tokens
        expected["greedy"] = model.generate(sequences[0][None], attention_mask=torch.ones(1, LENGTHS[0]),
                                            max_new_tokens=200, do_sample=False, pad_token_id=0)[0]
        assert len(expected["greedy"]) == LENGTHS[0] + 200
    lora = get_peft_model(model, LoraConfig(r=4, lora_alpha=8, lora_dropout=0.05, target_modules=MODULES,
                                            task_type="CAUSAL_LM", init_lora_weights=False)).eval()
    for parameter_name, parameter in lora.named_parameters():
        if "lora_" in parameter_name:
            parameter.data.copy_(torch.randn(parameter.shape, generator=generator) * 0.2)
    lora.peft_config["default"].base_model_name_or_path = name
    lora.save_pretrained(folder / "adapter")
    (folder / "adapter/README.md").unlink(missing_ok=True)
    loss = summed_loss(lora, sequences, labels)
    loss.backward()
    expected["adapter_loss"] = loss.detach()
    expected["adapter_logits"] = logits_of(lora, sequences).detach()
    for parameter_name, parameter in lora.named_parameters():
        if parameter.requires_grad:
            expected["gradient." + parameter_name.replace(".default.", ".")] = parameter.grad
    save_file({k: v.contiguous() for k, v in expected.items()}, folder / "expected.safetensors")
    print(f"{name}: {sum(f.stat().st_size for f in folder.rglob('*') if f.is_file()) // 1024} KiB, loss {float(loss):.6f}")


for number, (case, build) in enumerate(CASES.items()):
    if len(sys.argv) == 1 or case in sys.argv[1:]:
        make(case, build, seed=100 + number)
