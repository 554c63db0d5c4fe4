# Sourced by the scripts that show what fine-tuning does: one way to ask a model before and after, and to train it for a given time. Both skip what is there.
# They are told `program`, `model`, `minutes` a run, `batch` and `longest` in tokens, and the arrays `questions` (eval's tasks and wording) and `where` (the device).

evaluate() {  # name, then what eval is told of the model
  [ -f "$1.json" ] || "$program" eval "${questions[@]}" "${where[@]}" --temperature 0 --out "$1.json" --name "$1" "${@:2}" > "$1.txt"
}

train() {  # name, then options of sft; as many steps as the time has
  local name=$1 rate
  shift
  local sft=("$program" sft --model "$model" --data data/sft_train.jsonl "${where[@]}" --batch-tokens "$batch" --pass-tokens "${pass:-$longest}" --longest "$longest" "$@")
  if [ ! -f "$name.steps" ]; then
    "${sft[@]}" --steps 100000 --stop-after-minutes 0.3 --checkpoints "$name.trial" --runs "$name.trial" || [ $? -ge 128 ]
    rate=$(tail -n 1 "$name.trial/sft/metrics.jsonl" | python3 -c "import json,sys; print(json.loads(sys.stdin.read())['tokens_per_second'])")
    rm -r "$name.trial"
    python3 -c "print(max(3, int($rate * ($minutes - 0.3) * 60 / $batch)))" > "$name.steps"
  fi
  [ -d "$name/sft_final" ] || "${sft[@]}" --steps "$(cat "$name.steps")" --checkpoints "$name" --runs "$name"
}

run_all() {  # which runs: lora, all or both
  evaluate before --model "$model"
  if [[ $1 = *lora* ]]; then
    train lora --learning-rate "$lora_rate"
    evaluate after_lora --model "$model" --adapter lora/sft_final
  fi
  if [[ $1 = *all* ]]; then
    train all --all-parameters --learning-rate "$all_rate"
    evaluate after_all --model all/sft_final
  fi
}

print_table() {
  python3 - <<'TABLE'
import json
import pathlib
print("| model | tasks | judged | passed | 95 % interval | trained for | tokens |")
print("|---|---|---|---|---|---|---|")
for name, run, label in (("before", None, "as it was"), ("after_lora", "lora", "LoRA"), ("after_all", "all", "all parameters")):
    if not pathlib.Path(f"{name}.json").exists():
        continue
    metrics = json.load(open(f"{name}.json", encoding="utf-8"))["metrics"]
    time = tokens = ""
    if run:
        lines = [json.loads(line) for line in open(f"{run}/sft/metrics.jsonl", encoding="utf-8")]
        time, tokens = f"{lines[-1]['seconds'] / 60:.1f} min", f"{sum(line['tokens'] for line in lines) / 1e6:.2f}M"
    levels = metrics["per_level"]
    for level, of in [("all", metrics)] + [(f"level {level}", levels[level]) for level in levels if len(levels) > 1]:
        judged, rate, (low, high) = of["num_tasks"] - of["not_judged"], of["correct_rate"], of["intervals"]["correct_rate"]
        print(f"| {label} | {level} | {judged} | {round(rate * judged)} ({100 * rate:.0f} %) | {100 * low:.0f} to {100 * high:.0f} % | {time} | {tokens} |")
TABLE
}
