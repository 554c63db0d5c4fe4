#!/usr/bin/env bash
# All tests that need no GPU, from a bare machine. Pass ctest options to choose, e.g. scripts/test.sh -L fast -R sandbox
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
cd build/release
# most tests wait more than they compute; those that measure time run alone
ctest --output-on-failure -LE gpu -j "$(nproc)" "$@"
