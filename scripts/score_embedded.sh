#!/usr/bin/env bash
# Everything that the page of the embedded model states of it, judged on the CPU: a line for each set of tasks, with the greedy answers'
# rate and its interval, pass@10 of samples at temperature 1, and how many distinct programs those are.
#
#   scripts/score_embedded.sh MODEL CHECKOUT PACKAGES [SET …]
#
# CHECKOUT: of KernelBench. PACKAGES: what `prepare` wrote of packages, whose test split is asked. SET: some of the names below (default: all).
# SAMPLES=0: the greedy answers alone; SLOTS (64): samples that grow at once. The results lie in $OUT (outputs/scores); the same command goes on where it was stopped.
set -uo pipefail
cd "$(dirname "$0")/.."
model=${1:?folder of the model} checkout=${2:?checkout of KernelBench} packages=${3:?folder of prepared packages}
shift 3
samples=${SAMPLES:-10} out=${OUT:-outputs/scores}
mkdir -p "$out"
sets=("$@")
[ $# -gt 0 ] || sets=(packages levels compositions strict idioms level3)
ask=(--model "$model" --max-new-tokens 3000 --slots "${SLOTS:-64}" --quiet ${TRITONRL_PYTHON:+--python "$TRITONRL_PYTHON"})
if [ "$samples" -gt 0 ]; then ask+=(--samples "$samples" --greedy --temperature 1); else ask+=(--temperature 0); fi
for name in "${sets[@]}"; do
  case $name in
    packages) tasks=(--tasks "$packages" --split test) ;;
    levels) tasks=(--tasks "$checkout" --levels 1,2) ;;
    level3) tasks=(--tasks "$checkout" --levels 3) ;;
    strict) tasks=(--tasks "$checkout" --levels 2 --policy strict) ;;
    compositions) tasks=(--generate 150 --task-seed 1) ;;
    idioms) tasks=(--generate 100 --task-seed 1 --held-out-idioms) ;;
    operators) tasks=(--generate 100 --task-seed 1 --held-out-operators) ;;
    *) echo "score_embedded.sh: no set of tasks is called $name" >&2 && exit 2 ;;
  esac
  began=$(date +%s)
  "${TRITONRL:-build/release/tritonrl}" eval "${ask[@]}" "${tasks[@]}" --out "$out/$name.json" > "$out/$name.log" 2>&1 ||
    { echo "$name: failed; $out/$name.log tells why" && continue; }
  python3 - "$name" "$out/$name.json" $(($(date +%s) - began)) << 'EOF'
import json, sys
name, path, seconds = sys.argv[1:]
metrics = json.load(open(path))["metrics"]
for level, of in [("", metrics), *[(f" level {k}", v) for k, v in metrics["per_level"].items() if name in ("levels", "packages")]]:
    low, high = of["intervals"]["correct_rate"]
    more = "".join(f", {key} {100 * of[key]:.1f} %" for key in of if key.startswith("pass@") and key != "pass@1")
    more += "".join(f", {key} {of[key]:.2f}" for key in of if key.startswith("distinct"))
    print(f"{name}{level}: {100 * of['correct_rate']:.1f} % ({100 * low:.1f} to {100 * high:.1f}) of {of['num_tasks'] - of['not_judged']}{more}"
          + (f"; {seconds} s" if not level else ""))
EOF
done
