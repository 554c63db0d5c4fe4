#!/usr/bin/env bash
# Records every KernelBench reference of levels 1 to 3 at its full shapes and prints the tables; then how often the level told from
# the operators is KernelBench's own, what took over 150 ms, and what did not record.
# usage: scripts/record_kernelbench.sh KERNELBENCH_CHECKOUT
set -euo pipefail
tasks="${1:?path of a KernelBench checkout}/KernelBench"
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log" "$log".?' EXIT
for level in 1 2 3; do
  build/release/tritonrl record "$tasks/level$level"/*.py | tee "$log.$level"
done
for level in 1 2 3; do
  awk -v level=$level '$1 ~ /\.py$/ && NF >= 10 { n++; own += $2 == level; if ($1 % 2) { odd++; odd_own += $2 == level } }
    END { printf "level %d: told from the operators in %d of %d, odd-numbered tasks %d of %d\n", level, own, n, odd_own, odd }' "$log.$level"
done
echo "over 150 ms:"
awk '$1 ~ /\.py$/ && NF >= 10 && $(NF-1) > 150 { print "  " $1, $3 " calls in forward,", $(NF-1) " ms" }' "$log".?
echo "not recorded:"
awk '$1 ~ /\.py$/ && / (raised|not_recordable|bad_task|timeout|crashed|malformed)/ { print "  " $0 }' "$log".?
