#!/usr/bin/env bash
# How long a person or a trainer without a GPU waits: one verify, one with a warm process, the ten examples three times each with one
# comment changed, and pointwise and row tasks a second. Wall and processor time of all processes; the machine should be quiet.
#
#   scripts/measure_verify.sh [BUILD]
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 scripts/measure_verify.py "${1:-build/release}"
