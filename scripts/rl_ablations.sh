#!/usr/bin/env bash
# The four extensions of the report, each switched off alone, against all of them: runs of `tritonrl rl` with several seeds, and greedy answers to
# held-out tasks after each. Goes on where it was stopped if it is given the same FOLDER.
#
#   scripts/rl_ablations.sh MODEL TASKS [FOLDER]     TASKS: what `tritonrl prepare` wrote, with a part for the test
#
# SEEDS="1 2 3"   QUESTIONS=100   BUILD=build/release   OPTIONS="": of every run of rl   WORDING: how the model is asked
set -euo pipefail
cd "$(dirname "$0")/.."
model=$(realpath "${1:?a model}") tasks=$(realpath "${2:?prepared tasks}")
work=$(realpath -m "${3:-runs/rl_ablations}")
program=$(realpath "${BUILD:-build/release}")/tritonrl
read -ra options <<< "${OPTIONS:-}"
read -ra wording <<< "${WORDING:-}"
mkdir -p "$work" && cd "$work"

evaluate() {  # name, model
  [ -f "$1.json" ] || "$program" eval --model "$2" --tasks "$tasks" --split test --num-tasks "${QUESTIONS:-100}" --task-seed 1 --temperature 0 \
    "${wording[@]}" --out "$1.json" --name "$1" --quiet > "$1.txt"
}

evaluate before "$model"
for extension in all multi-input staged-eval adaptive-curriculum calibrated-timing; do
  off=()
  [ "$extension" = all ] || off=("--enable-$extension" false)
  for seed in ${SEEDS:-1 2 3}; do
    name=$extension.$seed
    [ -d "$name/rl_final" ] || "$program" rl --model "$model" --tasks "$tasks" --split train --seed "$seed" --checkpoints "$name" --runs "$name" \
      "${wording[@]}" "${off[@]}" "${options[@]}" 2> "$name.log"
    evaluate "$name" "$name/rl_final"
  done
done
python3 - ${SEEDS:-1 2 3} <<'TABLE'
import json
import statistics
import sys


def figures(name):
    metrics = json.load(open(f"{name}.json", encoding="utf-8"))["metrics"]
    return 100 * metrics["correct_rate"], metrics["geometric_mean_speedup"] or float("nan")


print("| extensions | correct, mean of seeds (least to most) | speed-up of right answers |")
print("|---|---|---|")
print("| before | {:.1f} % | {:.2f} |".format(*figures("before")))
for extension, label in (("all", "all four"), ("multi-input", "without several inputs"), ("staged-eval", "without the staged funnel"),
                         ("adaptive-curriculum", "without the curriculum"), ("calibrated-timing", "without calibrated timing")):
    rates, speeds = zip(*(figures(f"{extension}.{seed}") for seed in sys.argv[1:]))
    print(f"| {label} | {statistics.mean(rates):.1f} % ({min(rates):.1f} to {max(rates):.1f}) | {statistics.mean(speeds):.2f} |")
TABLE
