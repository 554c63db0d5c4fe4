#!/usr/bin/env bash
# How many of the modules in examples/modules, written as users would and half of them without inputs, `tritonrl optimize` finds a proven kernel for, and in what
# time, on the CPU. One line a module, then how many. Nothing is kept from earlier runs.
#
#   scripts/show_optimize.sh [FOLDER]     FOLDER: for the files that are written (default: one that is taken away again)
#
# BUILD=build/release   MODULES=examples/modules   OPTIONS="": further ones of `tritonrl optimize`
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${BUILD:-build/release}")/tritonrl
modules=$(realpath "${MODULES:-examples/modules}")
if [ $# -gt 0 ]; then
  work=$(realpath -m "$1")
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
cd "$work"
read -ra options <<< "${OPTIONS:-}"
printf '%-20s %-8s %9s %-9s %8s  %s\n' module proven speed-up faster seconds 'best, of how many'
for module in "$modules"/*.py; do
  name=$(basename "$module" .py)
  began=$(date +%s.%N)
  "$program" optimize "$module" --json --no-cache --even-slower --out "$name.optimized.py" "${options[@]}" > "$name.out.json" 2> "$name.errors" || true
  python3 - "$name" "$began" "$(date +%s.%N)" <<'PYTHON' | tee -a "$work/lines"
import json, sys
name, began, ended = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
try:
    proof = json.load(open(name + ".out.json"))
    winner = proof["winner"]
except ValueError:
    proof = winner = None
if winner:
    said = ("yes", f"{winner['speedup']:.2f}", "yes" if winner["faster"] else "no", f"{winner['source']}, of {len(proof['candidates'])}")
else:
    said = ("no", "-", "no", open(name + ".errors").read().strip()[:120] if proof is None else f"none of {len(proof['candidates'])}; {proof['no_teacher']}")
print(f"{name:<20} {said[0]:<8} {said[1]:>9} {said[2]:<9} {ended - began:8.1f}  {said[3]}")
PYTHON
done
awk '{ n += 1; proven += $2 == "yes"; faster += $4 == "yes"; quick += $2 == "yes" && $5 < 60; if ($5 > slowest) slowest = $5 }
  END { printf "%d modules: %d proven, %d of them in under a minute, %d faster than eager (modelled); the slowest took %.0f s\n", n, proven, quick, faster, slowest }' "$work/lines"
rm "$work/lines"
