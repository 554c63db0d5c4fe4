#!/usr/bin/env bash
# Shows that reinforcement teaches: modules with operators that pre-training holds out and that the model gets right now and then (OPERATORS), no
# solution of any of them, some rounds of best-of-N and of GRPO on executed rewards, and greedy answers before and after to modules that
# were not trained on, with a paired test. Judged on the CPU. Goes on where it was stopped if it is given the same FOLDER; ends with a page of curves,
# FOLDER/report.html.
#
#   scripts/show_rl_teaches.sh MODEL [FOLDER]     MODEL: one that `tritonrl pretrain` made
#
# METHODS="best_of grpo"   SEEDS="1 2 3"   ROUNDS=12   ROUND_TASKS=16   SAMPLES=10   TASKS=220 held-out modules   BUILD=build/release
# MINUTES=13: of a run; what is not done then is left, and the rounds so far are what is evaluated   JOBS=1 runs at once, each on CORES=2 cores
# of its own   RATE_best_of=2e-4   RATE_grpo=5e-5   FAMILIES="fusions=1": kinds of modules   OPERATORS="celu,cosh"
# WORDING="--prompt short --facts values --names counted": how the model's own pairs were worded   MORE="": further options of rl
set -euo pipefail
cd "$(dirname "$0")/.."
model=$(realpath "${1:?a model}")
work=$(realpath -m "${2:-runs/rl_teaches}")
program=$(realpath "${BUILD:-build/release}")/tritonrl
jobs=${JOBS:-1} cores=${CORES:-2}
read -ra methods <<< "${METHODS:-best_of grpo}"
read -ra seeds <<< "${SEEDS:-1 2 3}"
read -ra wording <<< "${WORDING:---prompt short --facts values --names counted}"
read -ra more <<< "${MORE:-}"
RATE_best_of=${RATE_best_of:-2e-4} RATE_grpo=${RATE_grpo:-5e-5}
longest=${LONGEST:-1000}
mkdir -p "$work" && cd "$work"
export OMP_NUM_THREADS=$cores

# What is asked, and what is held out: other compositions than those that may be trained on.
[ -f data.done ] || { "$program" prepare --generate "${PAIRS:-2600}" --operators "${OPERATORS:-celu,cosh}" --families "${FAMILIES:-fusions=1}" \
  --styles real --seed 5 --validation 0 --test 0.2 --out data "${wording[@]}" --plan lines --quiet > prepare.txt; touch data.done; }

# Rewards are not weighed by work here: where a convolution stays in torch a right answer would be below the floor, and nobody would learn from it.
score() {  # name, model
  [ -f "$1.json" ] || "$program" eval --tasks data --split test --num-tasks "${TASKS:-220}" --max-new-tokens "$longest" --temperature 0 --device cpu --threads "$cores" \
    --model "$2" --out "$1.json" --name "$1" --quiet "${wording[@]}" > "$1.txt" 2> "$1.eval.log" || { tail -n 3 "$1.eval.log" && return 1; }
}
newest() { [ -d "$1/rl_final" ] && echo "$1/rl_final" || find "$1/rl" -maxdepth 1 -name 'step_*' | sort | tail -n 1; }
one() {  # method, seed
  local name=$1_$2 rate=RATE_$1 own=()
  # few answers of a round are right and differ: they are imitated again
  [ "$1" = grpo ] || own=(--replay-rounds 3 --epochs 2)
  [ -d "$name/rl_final" ] || [ -f "$name.json" ] || "$program" rl --model "$model" --all-parameters --method "$1" --tasks data --split train \
    --seed "$2" --rounds "${ROUNDS:-12}" --round-tasks "${ROUND_TASKS:-16}" --samples "${SAMPLES:-10}" --max-new-tokens "$longest" --batch-tokens 4096 \
    --longest 2048 --learning-rate "${!rate}" --enable-adaptive-curriculum false --stop-after-minutes "${MINUTES:-13}" --threads "$cores" \
    --workers $((2 * cores)) --keep 1 --checkpoints "$name" --runs "$name" --device cpu --weigh-by-work false "${own[@]}" "${wording[@]}" "${more[@]}" 2> "$name.log" || true
  score "$name" "$(newest "$name")"
}
on_cores() {  # number, command …
  local first=$(($1 * cores))
  shift
  if [ "$jobs" -gt 1 ]; then taskset -pc "$first-$((first + cores - 1))" "$BASHPID" > /dev/null; fi
  "$@"
}

number=0
(on_cores $((number++)) score before "$model") &
[ "$jobs" -gt 1 ] || wait
names=()
for seed in "${seeds[@]}"; do
  for method in "${methods[@]}"; do
    number=$((number % jobs + 1))
    (on_cores "$number" one "$method" "$seed") &
    names+=("${method}_$seed")
    [ "$(jobs -rp | wc -l)" -lt "$jobs" ] || wait -n || true
  done
done
wait
results=()
for name in before "${names[@]}"; do [ ! -f "$name.json" ] || results+=("$name.json"); done
"$program" eval --compare "${results[@]}"
for name in "${names[@]}"; do echo "$name: $(grep -hE '^round ' "$name.log" | tail -n 1)"; done
"$program" report "${names[@]/%//rl}" --eval "${results[@]}" --out report.html
