#!/usr/bin/env bash
# Triton's own tutorials, unchanged, through `tritonrl check`: none may have a finding. One line a script.
#   scripts/check_tutorials.sh CHECKOUT [SECONDS]      CHECKOUT: a working copy of triton; SECONDS for one script (default 300)
# PYTHON: one with torch, triton and what the tutorials import (pytest); default: the active one.
# Ends with 1 where a tutorial has a finding. Those that this Triton, or the machine, cannot run are told with their reason.
set -euo pipefail
checkout=$(realpath "${1:?a working copy of triton}")
seconds=${2:-300}
tritonrl=$(realpath "$(dirname "$0")/../build/release/tritonrl")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" # tutorials write their plots where they run
export CUDA_VISIBLE_DEVICES=
failed=0
printf '%-44s %4s %8s %8s %7s  %s\n' tutorial exit findings launches seconds result
for script in "$checkout"/python/tutorials/*.py "$checkout"/python/tutorials/gluon/[0-9]*.py; do
  code=0
  rm -f report.json
  "$tritonrl" check --quiet --script-seconds "$seconds" --json report.json ${PYTHON:+--python "$PYTHON"} "$script" > text 2>&1 || code=$?
  python3 - "${script#"$checkout"/python/tutorials/}" "$code" <<'PYTHON'
import json, os, sys
name, code = sys.argv[1:]
if not os.path.exists("report.json"):
    print(f"{name:<44} {code:>4} {open('text').read().strip().splitlines()[-1]}")
    sys.exit()
[script] = json.load(open("report.json"))["scripts"]
launches = sum(one["times"] for one in script["launches"])
reason = "ok"
if script["findings"]:
    first = script["findings"][0]
    reason = f"{os.path.basename(first['place']['file'])}:{first['place']['line']}: {first['rule']}: {first['message']}"
elif script["raised"] or script["unchecked"]:
    reason = script["raised"] or "not checked: " + script["unchecked"][0]
elif launches == 0:
    reason = "ok: says itself that this target is not for it"
print(f"{name:<44} {code:>4} {len(script['findings']):>8} {launches:>8} {script['seconds']:>7.1f}  {' '.join(reason.split())[:150]}", flush=True)
PYTHON
  [ "$code" != 1 ] || failed=1
done
exit $failed
