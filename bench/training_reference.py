"""transformers' and peft's side of scripts/measure_training.sh.

usage: training_reference.py FOLDER    writes a random model of Qwen2.5-7B's true shape (bf16) there, then trains LoRA on it
"""
import sys
import time

import torch
from peft import LoraConfig, get_peft_model
from transformers import Qwen2Config, Qwen2ForCausalLM

SEQUENCES, LENGTH, STEPS = 4, 2048, 3


def build():
    config = Qwen2Config(vocab_size=152064, hidden_size=3584, intermediate_size=18944, num_hidden_layers=28, num_attention_heads=28,
                         num_key_value_heads=4, max_position_embeddings=32768, rms_norm_eps=1e-6, tie_word_embeddings=False)
    torch.manual_seed(1)
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = Qwen2ForCausalLM(config)
    torch.set_default_dtype(torch.float32)
    return model


def measure(model, recomputed):
    if recomputed:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    else:
        model.gradient_checkpointing_disable()
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=1e-4, fused=True)
    tokens = torch.randint(0, 150000, (SEQUENCES, LENGTH), device="cuda")

    def run(count):
        for _ in range(count):
            model(input_ids=tokens, labels=tokens).loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        torch.cuda.synchronize()

    torch.cuda.reset_peak_memory_stats()
    run(1)
    start = time.perf_counter()
    run(STEPS)
    seconds = (time.perf_counter() - start) / STEPS
    print(f"{'peft, recomputed' if recomputed else 'peft':32} {SEQUENCES * LENGTH / seconds:9.0f} tokens/s, {seconds * 1e3:.1f} ms a step, "
          f"peak {torch.cuda.max_memory_allocated() / 1e9:.1f} GB", flush=True)


def main():
    model = build()
    model.save_pretrained(sys.argv[1])
    names = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
    model = get_peft_model(model, LoraConfig(r=16, lora_alpha=32, lora_dropout=0.05, target_modules=names))
    model.config.use_cache = False
    model.train()
    model.enable_input_require_grads()
    for recomputed in (True, False):
        measure(model, recomputed)


main()
