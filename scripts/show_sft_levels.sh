#!/usr/bin/env bash
# What fine-tuning gives a model that others pre-trained, on the embedded model's pairs: generated ones of both policies and, where there is a corpus
# (scripts/pretrain_embedded.sh tells how it is made), real modules. A LoRA run and one of all parameters in the given time each; greedy answers to
# KernelBench's levels 1 and 2 before and after, judged on the CPU. Goes on where it was stopped if it is given the same FOLDER.
#
#   scripts/show_sft_levels.sh MODEL CHECKOUT [FOLDER]     MODEL: a folder, a .gguf file or owner/name; CHECKOUT: of KernelBench
#
# MINUTES=4 a run   PAIRS=60000   BUILD=build/release   LORA_RATE=1e-3   ALL_RATE=5e-4   RUNS="lora all"   BATCH=65536   PASS=BATCH: tokens of a pass
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/sft_runs.sh
model=${1:?a model} checkout=$(realpath "${2:?checkout of KernelBench}")
[ ! -e "$model" ] || model=$(realpath "$model")
work=$(realpath -m "${3:-runs/sft_levels}")
corpus=$(realpath -m data/corpus/planted/sft_train.jsonl)
program=$(realpath "${BUILD:-build/release}")/tritonrl
minutes=${MINUTES:-4} longest=4096 batch=${BATCH:-65536} lora_rate=${LORA_RATE:-1e-3} all_rate=${ALL_RATE:-5e-4}
pass=${PASS:-$batch}
wording=(--prompt short --facts values --names counted)
questions=(--tasks "$checkout" --levels 1,2 --max-new-tokens 3000 --slots 200 "${wording[@]}")
where=()
mkdir -p "$work" && cd "$work"

if [ ! -f data/made ]; then
  "$program" prepare --generate "${PAIRS:-60000}" --policy both --seed 6 --validation 0 --test 0 --labels text --plan lines --styles real --lone-operators --out data \
    "${wording[@]}" --quiet > prepare.txt
  [ ! -f "$corpus" ] || cat "$corpus" >> data/sft_train.jsonl
  touch data/made
fi
run_all "${RUNS:-lora all}"
print_table
