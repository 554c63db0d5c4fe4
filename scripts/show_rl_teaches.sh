#!/usr/bin/env bash
# Shows that reinforcement teaches: tasks with the operators that are held out of pre-training, no solution of any of them, some rounds of
# best-of-N or GRPO on executed rewards, and greedy answers to held-out tasks (other compositions than those trained on) before and after,
# with a paired test. Judged on the CPU. Goes on where it was stopped if it is given the same FOLDER.
#
#   scripts/show_rl_teaches.sh MODEL [FOLDER]     MODEL: one that `tritonrl pretrain` made
#
# METHOD=best_of (or grpo)   SEEDS="1 2 3"   ROUNDS=8   ROUND_TASKS=24   TASKS=200   BUILD=build/release
# RATE=3e-4   WORDING="--prompt short --facts values --names counted": how the model's own pairs were worded   MORE="": further options of rl
set -euo pipefail
cd "$(dirname "$0")/.."
model=$(realpath "${1:?a model}")
work=$(realpath -m "${2:-runs/rl_teaches}")
program=$(realpath "${BUILD:-build/release}")/tritonrl
method=${METHOD:-best_of}
read -ra wording <<< "${WORDING:---prompt short --facts values --names counted}"
read -ra more <<< "${MORE:-}"
questions=(--tasks data --split test --num-tasks "${TASKS:-200}" --task-seed 1 --max-new-tokens 1500 --temperature 0 --device cpu "${wording[@]}")
mkdir -p "$work" && cd "$work"

# a fifth of the compositions is for the test
[ -f data/labels.done ] || { "$program" prepare --generate 6000 --held-out-operators --seed 5 --validation 0 --test 0.2 --out data \
  "${wording[@]}" --plan lines --styles real --quiet > prepare.txt; touch data/labels.done; }
[ -f before.json ] || "$program" eval "${questions[@]}" --model "$model" --out before.json --name before > before.txt
files=(before.json)
for seed in ${SEEDS:-1 2 3}; do
  name=${method}_$seed
  # what is not done in the given time is left: the rounds so far are what is evaluated
  [ -d "$name/rl_final" ] || "$program" rl --model "$model" --all-parameters --method "$method" --tasks data --split train --num-tasks 2000 \
    --seed "$seed" --rounds "${ROUNDS:-8}" --round-tasks "${ROUND_TASKS:-24}" --max-new-tokens 1500 --batch-tokens 8192 --longest 4096 \
    --learning-rate "${RATE:-3e-4}" --checkpoints "$name" --runs "$name" --device cpu "${wording[@]}" "${more[@]}" 2> "$name.log"
  [ -f "after_$name.json" ] || "$program" eval "${questions[@]}" --model "$name/rl_final" --out "after_$name.json" --name "after_$name" > "after_$name.txt"
  files+=("after_$name.json")
done
"$program" eval --compare "${files[@]}"
