#!/usr/bin/env bash
# The main job from a bare machine: set up, build, judge the example kernels and a cheat, show what one kernel does, and let the model that is
# shipped write one.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh programs
echo
echo "== ten example kernels judged without a GPU (build/release/tritonrl verify --help)"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 - > "$folder/examples.jsonl" <<'PYTHON'
import json, pathlib
for kernel in sorted(pathlib.Path("examples/kernels").glob("*.py")):
    print(json.dumps({"id": kernel.stem, "task": str(pathlib.Path("examples/tasks", kernel.name).resolve()), "code": kernel.read_text()}))
PYTHON
build/release/tritonrl verify --batch "$folder/examples.jsonl" --out "$folder/verdicts.jsonl"
python3 - "$folder/verdicts.jsonl" <<'PYTHON'
import json, sys
print(f"{'kernel':24}{'verdict':10}{'reward':>8}{'modelled speed-up':>20}{'work by kernels':>18}")
for line in open(sys.argv[1]):
    row = json.loads(line)
    v = row["verdict"]
    speedup, share = (v["timing"] or {}).get("speedup"), v["work_share"]
    print(f"{row['id']:24}{v['kind']:10}{v['reward']:8.2f}{speedup or 0:19.2f}x{100 * (share or 0):17.0f}%")
PYTHON
echo
echo "== a cheat: torch computes, a kernel copies"
build/release/tritonrl verify tests/judge/adversarial/cheats/a1_torch_then_copy.py --task tests/judge/adversarial/tasks/softmax.py --explain || true
echo
echo "== one of them executed on this CPU, every access checked, its time on a GPU modelled (build/release/tritonrl run --help)"
build/release/tritonrl run examples/kernels/softmax.py --task examples/tasks/softmax.py --set ROWS=64
echo
echo "== a kernel by the model that is shipped (models/embedded, 15 MB), and what the judge says of it"
build/release/tritonrl generate --model models/embedded --task examples/tasks/rmsnorm.py --temperature 0 --max-new-tokens 2000 > "$folder/rmsnorm.py"
cat "$folder/rmsnorm.py"
build/release/tritonrl verify "$folder/rmsnorm.py" --task examples/tasks/rmsnorm.py || true
