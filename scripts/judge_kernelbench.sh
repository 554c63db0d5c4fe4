#!/usr/bin/env bash
# Judges KernelBench on the CPU, end to end: our candidates of tests/judge/kernelbench where there is one, else the reference
# against itself. Prints how many tasks were judged, and why the others were not.
#   scripts/judge_kernelbench.sh CHECKOUT [LEVEL...]        CHECKOUT: a clone of KernelBench; levels 1 and 2 by default
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=${1:?path of a KernelBench checkout}
shift
levels=("$@")
[ $# -gt 0 ] || levels=(1 2)
program=build/release/tritonrl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for level in "${levels[@]}"; do
  python3 - "$checkout/KernelBench/level$level" "tests/judge/kernelbench/level$level" > "$folder/in.jsonl" <<'PYTHON'
import json, pathlib, sys
tasks, own = map(pathlib.Path, sys.argv[1:])
for task in sorted(tasks.glob("*.py"), key=lambda p: int(p.name.split("_")[0])):
    candidate = own / (task.name.split("_")[0] + ".py")
    row = {"id": task.stem, "task": str(task.resolve())}
    row.update({"code": candidate.read_text()} if candidate.exists() else {"reference_itself": True})
    print(json.dumps(row))
PYTHON
  "$program" verify --batch "$folder/in.jsonl" --out "$folder/out.jsonl" --overwrite --no-cache || true
  python3 - "$level" "$folder/in.jsonl" "$folder/out.jsonl" <<'PYTHON'
import json, sys
level, asked, answered = sys.argv[1:]
rows = [(json.loads(a), json.loads(b)) for a, b in zip(open(asked), open(answered))]
count = {"own": [0, 0], "self": [0, 0]}
for question, answer in rows:
    kind = "self" if "reference_itself" in question else "own"
    verdict = answer.get("verdict", {})
    count[kind][1] += 1
    if verdict.get("kind") == "passed":
        count[kind][0] += 1
    else:
        print(f"  {answer['id']} ({kind}): {verdict.get('kind', 'error')} {verdict.get('rule', '')} "
              f"{(verdict.get('message') or answer.get('error', {}).get('message', ''))[:160]}")
notes = sum(any(n.startswith("degenerate") for n in a.get("verdict", {}).get("notes", [])) for _, a in rows)
print(f"level {level}: judged and passed {count['own'][0]} of {count['own'][1]} candidates of ours, {count['self'][0]} of {count['self'][1]} "
      f"references against themselves; {count['own'][0] + count['self'][0]} of {len(rows)} tasks in all; degenerate outputs noted: {notes}")
PYTHON
done
