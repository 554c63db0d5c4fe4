#!/usr/bin/env bash
# Our judge and KernelBench's evaluator on the same candidates, on this machine's GPU: verdicts, candidates a second, speed-ups.
#   bench/judge_vs_kernelbench/run.sh CHECKOUT [OPTION...]       CHECKOUT: a clone of KernelBench
#     --out FOLDER           of all results (default outputs/judge_vs_kernelbench)
#     --candidates FOLDER    candidates.jsonl and sample20.jsonl that are there already
#     --pairs FOLDER         what `tritonrl prepare --rewrite` wrote, to make candidates from; else it is run first
#     --our-seconds N        most for ours, all candidates (default 300); what is judged by then stays
#     --seconds N            most for KernelBench's, all of the sample (default 420); what is judged by then stays
#     --timeout N            for one of its candidates (default 180, as it has it)
#     --skip-ours, --skip-kernelbench, --skip-compare
#     -- OPTION...           further options of `tritonrl verify`, such as --workers 16
# PYTHON names the interpreter (default python3), TRITONRL the program (default build/release/tritonrl), DEVICE the judge's device (cuda).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python=${PYTHON:-python3}
program=$(realpath -m "${TRITONRL:-$root/build/release/tritonrl}")
device=${DEVICE:-cuda}

checkout=$(realpath "${1:?path of a KernelBench checkout}")
shift
out=$root/outputs/judge_vs_kernelbench
candidates= pairs= our_seconds=300 seconds=420 timeout=180
ours=yes kernelbench=yes compare=yes
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=$2; shift ;;
    --candidates) candidates=$(realpath "$2"); shift ;;
    --pairs) pairs=$(realpath "$2"); shift ;;
    --our-seconds) our_seconds=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --timeout) timeout=$2; shift ;;
    --skip-ours) ours=no ;;
    --skip-kernelbench) kernelbench=no ;;
    --skip-compare) compare=no ;;
    --) shift; break ;;
    *) echo "$1: no such option" >&2; exit 2 ;;
  esac
  shift
done
mkdir -p "$out"
out=$(realpath "$out")

make_candidates() {
  if [ -z "$pairs" ]; then
    pairs=$out/pairs
    [ -f "$pairs/sft_test.jsonl" ] ||
      "$program" prepare --rewrite "$checkout/KernelBench/level1" "$checkout/KernelBench/level2" --out "$pairs" --quiet > "$out/prepare.txt"
  fi
  "$python" "$here/make_candidates.py" "$checkout" --pairs "$pairs" --out "$out"
  candidates=$out
}

judge_ours() {  # tasks are named relative to the checkout; no cache, or a second run would measure the cache
  local begin end code=0
  begin=$(date +%s.%N)
  (cd "$checkout" && timeout --signal=INT --kill-after=10 "$our_seconds" "$program" verify --batch "$candidates/candidates.jsonl" \
    --out "$out/ours.jsonl" --overwrite --no-cache --device "$device" --python "$(command -v "$python")" "$@") > "$out/ours_log.txt" 2>&1 || code=$?
  end=$(date +%s.%N)
  "$python" -c "print($end - $begin)" > "$out/ours_seconds.txt"
  tail -n 2 "$out/ours_log.txt"
  echo "ours: exit code $code after $(cat "$out/ours_seconds.txt") s"
  [ "$code" -le 1 ] || [ -s "$out/ours.jsonl" ] || { cat "$out/ours_log.txt" >&2; exit "$code"; }
}

judge_theirs() {
  "$python" "$here/run_kernelbench.py" "$checkout" "$candidates/sample20.jsonl" --out "$out/kernelbench.jsonl" \
    --timeout "$timeout" --seconds "$seconds" | tee "$out/kernelbench_log.txt"
}

[ -n "$candidates" ] || make_candidates
[ $ours = no ] || judge_ours "$@"
[ $kernelbench = no ] || judge_theirs
[ -e "$out/kernelbench.jsonl" ] || : > "$out/kernelbench.jsonl"
[ $compare = no ] || "$python" "$here/compare.py" "$candidates/candidates.jsonl" "$out/ours.jsonl" "$out/kernelbench.jsonl" \
  --seconds "$(cat "$out/ours_seconds.txt")" | tee "$out/compare.txt"
