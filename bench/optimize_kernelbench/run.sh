#!/usr/bin/env bash
# `tritonrl optimize` over KernelBench's tasks on this machine's GPU: how many get a proven kernel, and how fast these are against eager torch and
# torch.compile. Goes on where it was stopped.
#   bench/optimize_kernelbench/run.sh CHECKOUT [OPTION...]       CHECKOUT: a clone of KernelBench
#     --out FOLDER           of all results (default outputs/optimize_kernelbench)
#     --levels 1,2           which (default)
#     --only PATTERN         tasks whose file name matches it, as grep has it
#     --seconds N            no further task is begun after so many (default: all are)
#     -- OPTION...           further options of `tritonrl optimize`, such as --at-once 12 --budget-seconds 60
# PYTHON names the interpreter (default python3), TRITONRL the program (default build/release/tritonrl), DEVICE the judge's device (cuda; with cpu times are
# modelled).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python=${PYTHON:-python3}
program=$(realpath -m "${TRITONRL:-$root/build/release/tritonrl}")

checkout=$(realpath "${1:?path of a KernelBench checkout}")
shift
out=$root/outputs/optimize_kernelbench
levels=1,2 only=. seconds=0
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=$2; shift ;;
    --levels) levels=$2; shift ;;
    --only) only=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --) shift; break ;;
    *) echo "$1: no such option" >&2; exit 2 ;;
  esac
  shift
done
mkdir -p "$out"
out=$(realpath "$out")

"$python" - "$checkout" "$levels" "$only" > "$out/modules.jsonl" <<'PYTHON'
import json, pathlib, re, sys
checkout, levels, only = pathlib.Path(sys.argv[1]), sys.argv[2].split(","), sys.argv[3]
for level in levels:
    for task in sorted((checkout / "KernelBench" / f"level{level}").glob("*.py"), key=lambda p: int(p.name.split("_")[0])):
        if re.search(only, task.name):
            print(json.dumps({"id": f"level{level}/{task.stem}", "module": str(task)}))
PYTHON
code=0
"$program" optimize --batch "$out/modules.jsonl" --out "$out/results.jsonl" --files "$out/files" --device "${DEVICE:-cuda}" --no-model --no-cache \
  --stop-after "$seconds" --python "$(command -v "$python")" "$@" || code=$?
"$python" "$here/report.py" "$out/results.jsonl" | tee "$out/report.txt"
exit $code
