#!/usr/bin/env bash
# The main job from a bare machine: set up, build, record the example kernels and print what each does.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
echo
echo "== ten example kernels, recorded without a GPU (build/release/tritonrl record --help)"
build/release/tritonrl record --tasks examples/tasks examples/kernels/*.py
