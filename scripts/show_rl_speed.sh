#!/usr/bin/env bash
# Shows that reinforcement finds faster kernels: a model is shown plans whose schedules are drawn, then reinforced by best-of-N on what judged kernels
# measure, and asked for held-out modules of realistic sizes: the best of its likeliest answer and four samples, against what it was before and
# against the better of the teacher's two variants on each of the same modules. On a GPU, at the modules' own sizes; one run takes about ten minutes on an
# H200 with 16 cores. Every part is kept: the same command goes on where it was stopped, also on another machine if FOLDER is taken along.
#
#   scripts/show_rl_speed.sh MODEL [FOLDER]
#
# ACT=plan (or code)   TASKS=110   TEACH=60 seconds   FAST=0.9: share of the faster variant there   ROUNDS=10   ROUND_TASKS=48   SAMPLES=8
# MINUTES=5 of reinforcement, at most   RATE=3e-4   EPOCHS=4   REPLAY=3 rounds whose winners are imitated again
# COMPILE=1: the best answers are timed against torch.compile, too   DEVICE=cuda (cpu: times are modelled)   BUILD=build/release
# STAGES="draw teacher teach start taught reinforce reinforced compile": only these
set -euo pipefail
cd "$(dirname "$0")/.."
model=$(realpath "${1:?a model}")
work=$(realpath -m "${2:-runs/rl_speed}")
scripts=$PWD/scripts
program=$(realpath "${BUILD:-build/release}")/tritonrl
act=${ACT:-plan} device=${DEVICE:-cuda} tasks=${TASKS:-110}
longest=$([ "$act" = plan ] && echo 500 || echo 1500)
wording=(--prompt short --facts values --names counted --act "$act")
# what is right by construction, or judged on all inputs when it was learnt, is timed on the module's own
judge=(--judge-device "$device" --variations original)
kinds=(--sizes realistic --families fusions=2,singles=3,rewrites=1,chains=0 --lone-operators)
mkdir -p "$work" && cd "$work"

wanted() { [[ " ${STAGES:-draw teacher teach start taught reinforce reinforced compile} " == *" $1 "* ]]; }
stage() {  # name, command …: once
  if ! wanted "$1" || [ -f "$1.done" ]; then return 0; fi
  local name=$1 began=$SECONDS
  shift
  "$@"
  touch "$name.done"
  echo "$name: $((SECONDS - began)) s"
}

draw() {
  "$program" prepare --generate "${TRAIN:-800}" --seed 5 "${kinds[@]}" --validation 0 --test 0 --out train --quiet > train.txt
  for variant in canonical fast; do
    "$program" prepare --generate $((tasks * 2)) --seed 9 "${kinds[@]}" --variants "$variant" --validation 0 --test 0 --out "$variant" --quiet > "$variant.txt"
  done
  python3 "$scripts/compare_speeds.py" batches train canonical fast
}
teacher() {
  for variant in canonical fast; do
    "$program" verify --batch "$variant.jsonl" --out "$variant.verdicts.jsonl" --device "$device" --variations original --overwrite 2>> verify.log || [ $? -lt 64 ]
  done
  python3 "$scripts/compare_speeds.py" choose canonical fast "$tasks"
}
teach() {
  local shape=(--layers 9 --hidden 256 --heads 4 --kv-heads 2 --intermediate 768 --vocabulary 3072 --context 8192)
  "$program" pretrain --start "$model" "${shape[@]}" "${wording[@]}" --plan lines --lone-operators --styles real --realistic-sizes --singles 3 --fusions 3 --rewrites 4 \
    --chains 1 --drawn-plans 0.5 --fast "${FAST:-0.9}" --strict 0.1 --generator-seed 77 --learning-rate "${TEACH_RATE:-1e-3}" --batch-tokens "${BATCH:-65536}" \
    --pass-tokens "${BATCH:-65536}" --longest 2048 --steps "${STEPS:-$(steps_in "${TEACH:-60}")}" --log-every 20 --checkpoints taught_model --runs taught_model 2> teach.log
}
# a schedule must end with the time: about 1.8 million tokens a second on an H200
steps_in() { echo $(($1 * 1800000 / 65536)); }
score() {  # name, model
  "$program" eval --model "$2" --tasks held.jsonl --split all --greedy --samples 4 --temperature 1 --max-new-tokens "$longest" --slots 256 "${judge[@]}" \
    "${wording[@]}" --out "$1.json" --name "$1" --quiet > "$1.txt"
}
reinforce() {
  "$program" rl --model taught_model/pretrain_final --all-parameters --method best_of --tasks train.jsonl --split all --rounds "${ROUNDS:-10}" --round-tasks "${ROUND_TASKS:-48}" \
    --samples "${SAMPLES:-8}" --keep-best 2 --epochs "${EPOCHS:-4}" --replay-rounds "${REPLAY:-3}" --tasks-at-once 24 --max-new-tokens "$longest" --slots 256 --longest 2048 --batch-tokens 16384 --learning-rate "${RATE:-3e-4}" \
    --enable-adaptive-curriculum false --require-general false "${judge[@]}" --stop-after-minutes "${MINUTES:-5}" --keep 1 --checkpoints rl --runs rl "${wording[@]}" 2> rl.log ||
    [ $? -ge 128 ]
  grep -E '^round ' rl.log | tail -n 3
}
newest() { [ -d rl/rl_final ] && echo rl/rl_final || find rl/rl -maxdepth 1 -name 'step_*' | sort | tail -n 1; }
reinforced() { score reinforced "$(newest)"; }
compile() {
  [ "${COMPILE:-0}" = 1 ] || return 0
  python3 "$scripts/compare_speeds.py" winners reinforced.json held.jsonl
  "$program" verify --batch winners.jsonl --out winners.verdicts.jsonl --device "$device" --variations original --baseline compile --overwrite 2>> verify.log || [ $? -lt 64 ]
}

stage draw draw
stage teacher teacher
stage teach teach
stage start score start "$model"
stage taught score taught taught_model/pretrain_final
stage reinforce reinforce
stage reinforced reinforced
stage compile compile
python3 "$scripts/compare_speeds.py" table
results=()
for name in start taught reinforced; do [ ! -f "$name.json" ] || results+=("$name.json"); done
[ ! -f rl/rl/metrics.jsonl ] || "$program" report rl/rl --eval "${results[@]}" --out report.html
