#!/usr/bin/env bash
# The judge on this machine's GPU, as a whole: the catalogue of cheats and honest controls, the corpus, generated cheats on the GPU and without it,
# and, where a checkout of KernelBench is named, 240 candidates at its real shapes. Minutes on an H200 with 16 cores.
#
#   scripts/check_judge_on_device.sh CHEATS [CHECKOUT]     CHEATS: what scripts/make_cheats.py wrote; DEVICES=cuda leaves out those without the GPU
set -uo pipefail
cd "$(dirname "$0")/.."
cheats=${1:?folder of scripts/make_cheats.py}
checkout=${2:-}
out=outputs/judge_on_device
mkdir -p "$out"
failed=0
TRITONRL_TEST_DEVICE=cuda build/release/tests/judge_slow_tests --gtest_filter='Adversarial.*:Corpus.*' > "$out/catalogue.log" 2>&1 || failed=1
grep -E "honest controls|cheats without|cheats that get|corpus:|FAILED|py\"" "$out/catalogue.log" | cut -c1-240
for device in ${DEVICES:-cuda cpu}; do
  options=(--verdicts "$out/cheats_$device.jsonl" --)
  [ $device = cpu ] || options+=(--device cuda)
  echo "generated cheats, $device:"
  python3 scripts/judge_cheats.py "$cheats/manifest.jsonl" "${options[@]}" > "$out/cheats_$device.txt" || failed=1
  tail -n 1 "$out/cheats_$device.txt"
done
[ -z "$checkout" ] || bench/judge_vs_kernelbench/run.sh "$checkout" --out "$out/kernelbench" --skip-kernelbench || failed=1
exit $failed
