#!/usr/bin/env python3
"""Trains a tiny random model for 20 steps with TRL's own GRPOTrainer, rewarded by `tritonrl serve` over HTTP.

usage: check_trl.py BUILD_FOLDER [STEPS]      (with a Python that has trl; scripts/check_trl.sh makes one)

A random model writes no kernels, so what it writes chooses one of four answers: a right kernel, a wrong one, one that does not compile,
and none. The rewards that TRL learns from are the judge's own. Fails unless every step had its rewards from the judge, they differed,
the losses are finite and the parameters moved.
"""
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "clients/python"))

warnings.filterwarnings("ignore")
try:
    import torch
    import trl
    from datasets import Dataset
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, PrinterCallback
except ImportError as error:
    print(f"skipped: {error}; scripts/check_trl.sh makes a Python that has it")
    sys.exit(0)
from tritonrl_reward import HttpJudge


def answers():
    right = (ROOT / "examples/kernels/softmax.py").read_text()
    wrong = right.replace("numerator / tl.sum(numerator, axis=0)", "numerator")
    broken = right.replace("tl.load(", "tl.lode(")
    for changed in (wrong, broken):
        if changed == right:
            sys.exit("examples/kernels/softmax.py has changed; mend this script")
    return [f"```python\n{code}\n```" for code in (right, wrong, broken)] + ["I cannot write this kernel."]


def main():
    build, steps = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    torch.manual_seed(1)
    torch.set_num_threads(2)
    with tempfile.TemporaryDirectory() as folder:
        service = subprocess.Popen([str(build / "tritonrl"), "serve", "--port", "0", "--cache", folder], stdout=subprocess.PIPE, text=True)
        try:
            url = re.search(r"http://\S+", service.stdout.readline()).group(0)
            train(HttpJudge(url), steps, folder)
        finally:
            service.terminate()
            if service.wait(timeout=60) != 0:
                sys.exit(f"the service ended with {service.returncode}")


def train(judge, steps, folder):
    task, choice, given = (ROOT / "examples/tasks/softmax.py").read_text(), answers(), []

    def kernel_reward(prompts, completions, task, **columns):
        chosen = [choice[sum(map(ord, completion)) % len(choice)] for completion in completions]
        given.append(judge.reward(prompts, chosen, task=task, timeout=300, **columns))
        return given[-1]

    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(ROOT / "models/embedded/tokenizer.json"), eos_token="<|im_end|>", pad_token="<|endoftext|>")
    model = LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                                         num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=256))
    before = torch.cat([p.detach().flatten().clone() for p in model.parameters()])
    arguments = trl.GRPOConfig(output_dir=folder, max_steps=steps, per_device_train_batch_size=8, num_generations=8, max_completion_length=8,
                               learning_rate=1e-3, logging_steps=1, report_to=[], use_cpu=True, bf16=False, save_strategy="no",
                               disable_tqdm=True, seed=1)
    data = Dataset.from_list([{"prompt": f"Write a softmax, {number}.", "task": task} for number in range(32)])
    trainer = trl.GRPOTrainer(model=model, reward_funcs=kernel_reward, train_dataset=data, args=arguments, processing_class=tokenizer)
    trainer.remove_callback(PrinterCallback)
    trainer.train()
    moved = (torch.cat([p.detach().flatten() for p in trainer.model.parameters()]) - before).abs().max().item()
    logs = [log for log in trainer.state.log_history if "reward" in log]
    values = sorted({value for rewards in given for value in rewards if value is not None})
    missing = sum(value is None for rewards in given for value in rewards)
    print(f"trl {trl.__version__}: {trainer.state.global_step} steps, {sum(map(len, given))} rewards from the judge: {[round(v, 3) for v in values]}, "
          f"{missing} missing; mean reward of the first five steps {sum(l['reward'] for l in logs[:5]) / 5:.3f}, of the last five "
          f"{sum(l['reward'] for l in logs[-5:]) / 5:.3f}; parameters moved by {moved:.2e}")
    problems = []
    if trainer.state.global_step != steps or len(logs) != steps:
        problems.append("steps are missing")
    if missing or len(values) < 3:
        problems.append("the judge's rewards did not all come, or do not differ")
    means = [sum(rewards) / len(rewards) for rewards in given if None not in rewards]
    if [round(l["reward"], 4) for l in logs] != [round(mean, 4) for mean in means]:
        problems.append(f"TRL learnt from other rewards: {[l['reward'] for l in logs]} {means}")
    if not all(math.isfinite(log["loss"]) for log in logs) or not 0 < moved < 1:
        problems.append("the training is broken")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
