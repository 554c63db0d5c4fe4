#!/usr/bin/env bash
# Shows that fine-tuning teaches: pairs with the operators that are held out of pre-training, a LoRA run and one of all
# parameters in the given time each, and greedy answers to held-out tasks (other compositions than the pairs') before and after, judged
# on the CPU. Goes on where it was stopped if it is given the same FOLDER.
#
#   scripts/show_sft_teaches.sh MODEL [FOLDER]     MODEL: one that `tritonrl pretrain` made
#
# MINUTES=10 a run   TASKS=120   PAIRS=6000   BUILD=build/release   LORA_RATE=2e-3   ALL_RATE=5e-4   RUNS="lora all"
# WORDING="--prompt short --facts values --names counted" and TEXT="--plan lines --styles real": how the model's own pairs were worded
set -euo pipefail
cd "$(dirname "$0")/.."
model=$(realpath "${1:?a model}")
work=$(realpath -m "${2:-runs/sft_teaches}")
program=$(realpath "${BUILD:-build/release}")/tritonrl
minutes=${MINUTES:-10} tasks=${TASKS:-120} pairs=${PAIRS:-6000}
batch=4096 longest=2048
read -ra wording <<< "${WORDING:---prompt short --facts values --names counted}"
read -ra text <<< "${TEXT:---plan lines --styles real}"
mkdir -p "$work" && cd "$work"

# a fifth of the compositions is for the test; more of them are drawn than are asked about
[ -f data/labels.done ] || { "$program" prepare --generate "$pairs" --held-out-operators --seed 5 --validation 0 --test 0.2 --out data \
  "${wording[@]}" "${text[@]}" --quiet > prepare.txt; touch data/labels.done; }

evaluate() {  # name, then what eval is told of the model
  [ -f "$1.json" ] || "$program" eval --tasks data --split test --num-tasks "$tasks" --temperature 0 --max-new-tokens 1500 --device cpu \
    "${wording[@]}" --out "$1.json" --name "$1" "${@:2}" > "$1.txt"
}

train() {  # name, then options of sft; as many steps as the time has
  local name=$1 rate
  shift
  local sft=("$program" sft --model "$model" --data data/sft_train.jsonl --device cpu --batch-tokens $batch --pass-tokens $longest --longest $longest "$@")
  if [ ! -f "$name.steps" ]; then
    "${sft[@]}" --steps 100000 --stop-after-minutes 0.3 --checkpoints "$name.trial" --runs "$name.trial" || [ $? -ge 128 ]
    rate=$(tail -n 1 "$name.trial/sft/metrics.jsonl" | python3 -c "import json,sys; print(json.loads(sys.stdin.read())['tokens_per_second'])")
    rm -r "$name.trial"
    python3 -c "print(max(3, int($rate * ($minutes - 0.3) * 60 / $batch)))" > "$name.steps"
  fi
  [ -d "$name/sft_final" ] || "${sft[@]}" --steps "$(cat "$name.steps")" --checkpoints "$name" --runs "$name"
}

evaluate before --model "$model"
runs=${RUNS:-lora all}
if [[ $runs = *lora* ]]; then
  train lora --learning-rate "${LORA_RATE:-2e-3}"
  evaluate after_lora --model "$model" --adapter lora/sft_final
fi
if [[ $runs = *all* ]]; then
  train all --all-parameters --learning-rate "${ALL_RATE:-5e-4}"
  evaluate after_all --model all/sft_final
fi

python3 - <<'TABLE'
import json
import pathlib
print("| model | tasks with held-out operators | passed | 95 % interval | trained for | tokens |")
print("|---|---|---|---|---|---|")
for name, run, label in (("before", None, "as it was"), ("after_lora", "lora", "LoRA"), ("after_all", "all", "all parameters")):
    if not pathlib.Path(f"{name}.json").exists():
        continue
    metrics = json.load(open(f"{name}.json", encoding="utf-8"))["metrics"]
    judged, rate, (low, high) = metrics["num_tasks"] - metrics["not_judged"], metrics["correct_rate"], metrics["intervals"]["correct_rate"]
    time = tokens = ""
    if run:
        lines = [json.loads(line) for line in open(f"{run}/sft/metrics.jsonl", encoding="utf-8")]
        time, tokens = f"{lines[-1]['seconds'] / 60:.1f} min", f"{sum(line['tokens'] for line in lines) / 1e6:.2f}M"
    print(f"| {label} | {judged} | {round(rate * judged)} ({100 * rate:.0f} %) | {100 * low:.0f} to {100 * high:.0f} % | {time} | {tokens} |")
TABLE
