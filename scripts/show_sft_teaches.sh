#!/usr/bin/env bash
# Shows that fine-tuning teaches: pairs with the operators that are held out of pre-training, a LoRA run and one of all
# parameters in the given time each, and greedy answers to held-out tasks (other compositions than the pairs') before and after, judged
# on the CPU. Goes on where it was stopped if it is given the same FOLDER.
#
#   scripts/show_sft_teaches.sh MODEL [FOLDER]     MODEL: one that `tritonrl pretrain` made
#
# MINUTES=10 a run   TASKS=120   PAIRS=6000   BUILD=build/release   LORA_RATE=2e-3   ALL_RATE=2e-4   RUNS="lora all"
# WORDING="--prompt short --facts values --names counted" and TEXT="--families fusions=1 --plan lines --styles real": how the model's own pairs were worded
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/sft_runs.sh
model=$(realpath "${1:?a model}")
work=$(realpath -m "${2:-runs/sft_teaches}")
program=$(realpath "${BUILD:-build/release}")/tritonrl
minutes=${MINUTES:-10} batch=4096 longest=2048 lora_rate=${LORA_RATE:-2e-3} all_rate=${ALL_RATE:-2e-4}
read -ra wording <<< "${WORDING:---prompt short --facts values --names counted}"
read -ra text <<< "${TEXT:---families fusions=1 --plan lines --styles real}"
questions=(--tasks data --split test --num-tasks "${TASKS:-120}" --max-new-tokens 1500 "${wording[@]}")
where=(--device cpu)
mkdir -p "$work" && cd "$work"

# a fifth of the compositions is for the test; more of them are drawn than are asked about
[ -f data/labels.done ] || { "$program" prepare --generate "${PAIRS:-6000}" --held-out-operators --seed 5 --validation 0 --test 0.2 --out data \
  "${wording[@]}" "${text[@]}" --quiet > prepare.txt; touch data/labels.done; }
run_all "${RUNS:-lora all}"
print_table
