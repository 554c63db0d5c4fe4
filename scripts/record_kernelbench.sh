#!/usr/bin/env bash
# Records every KernelBench reference of levels 1 to 3 at its full shapes and prints the table; the last lines list what took
# over 150 ms or did not record, with the reason.
# usage: scripts/record_kernelbench.sh KERNELBENCH_CHECKOUT
set -euo pipefail
tasks="${1:?path of a KernelBench checkout}/KernelBench"
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
build/release/tritonrl record "$tasks"/level[123]/*.py | tee "$log"
echo "over 150 ms:"
awk 'NR > 1 && NF >= 11 && $(NF-1) ~ /^[0-9]+$/ && $(NF-1) > 150 { print "  " $1, $(NF-1) " ms" }' "$log"
echo "not recorded:"
awk 'NR > 1 && / (raised|not_recordable|bad_task|timeout|crashed|malformed)/ { print "  " $0 }' "$log"
