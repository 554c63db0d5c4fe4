#!/usr/bin/env bash
# All tests that need no GPU, from a bare machine; without arguments also the layout of all files, clang-tidy over
# those that were touched lately, and two modules under sanitizers.
# Pass ctest options to choose, e.g. scripts/test.sh -L fast -R sandbox
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
# most tests wait more than they compute; those that measure time run alone
ctest --test-dir build/release --output-on-failure -LE gpu -j "$(($(nproc) * 2))" "$@"
[ $# -eq 0 ] || exit 0
scripts/check_style.sh --touched
scripts/check_sanitizers.sh base record
