#!/usr/bin/env bash
# All tests that need no GPU, from a bare machine; without arguments also the layout of the files, clang-tidy, and the tests of some modules
# under the sanitizers. Pass ctest options to choose, e.g. scripts/test.sh -L fast -R sandbox
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
# most tests wait more than they compute; those that measure time run alone
ctest --test-dir build/release --output-on-failure -LE gpu -j "$(nproc)" "$@"
[ $# -eq 0 ] || exit 0
scripts/check_style.sh
# Modules that read what others wrote, and start no programs of ours.
sanitized=(base record text syntax program)
cmake --preset asan -DTRITONRL_JOIN=ON -DTRITONRL_PYTHON="$(sed -n 's/^TRITONRL_PYTHON:FILEPATH=//p' build/release/CMakeCache.txt)" > /dev/null
cmake --build build/asan --target "${sanitized[@]/%/_fast_tests}"
ctest --test-dir build/asan --output-on-failure -L fast -R "^($(IFS='|'; echo "${sanitized[*]}"))_" -j "$(nproc)"
