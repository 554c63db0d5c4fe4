#!/usr/bin/env bash
# The main job from a bare machine: set up, build, record the example kernels, and execute one with every access checked.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
echo
echo "== ten example kernels, recorded without a GPU (build/release/tritonrl record --help)"
build/release/tritonrl record --tasks examples/tasks examples/kernels/*.py
echo
echo "== one of them executed on this CPU, every access checked, its time on a GPU modelled (build/release/tritonrl run --help)"
build/release/tritonrl run examples/kernels/softmax.py --task examples/tasks/softmax.py --set ROWS=64
