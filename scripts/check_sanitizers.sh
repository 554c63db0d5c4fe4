#!/usr/bin/env bash
# The fast tests of modules that read what others wrote, and start no programs of ours, under the address and undefined-behaviour sanitizers.
# Needs a configured release build (scripts/setup.sh).
#   scripts/check_sanitizers.sh [MODULE …]      base record text syntax program; the gate takes the first two
set -euo pipefail
cd "$(dirname "$0")/.."
sanitized=("$@")
[ $# -gt 0 ] || sanitized=(base record text syntax program)
cmake --preset asan -DTRITONRL_JOIN=ON -DTRITONRL_PYTHON="$(sed -n 's/^TRITONRL_PYTHON:FILEPATH=//p' build/release/CMakeCache.txt)" > /dev/null
cmake --build build/asan --target "${sanitized[@]/%/_fast_tests}"
ctest --test-dir build/asan --output-on-failure -L fast -R "^($(IFS='|'; echo "${sanitized[*]}"))_" -j "$(nproc)"
