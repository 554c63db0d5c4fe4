#!/usr/bin/env bash
# On a machine with a GPU: tokens a second and peak memory of pre-training at the shape of models/embedded, with its kernels by time; and of LoRA at
# Qwen2.5-7B's true shape with random weights, beside transformers with peft. Needs 20 GB of memory in /dev/shm, 110 GB on the GPU, and a
# Python with torch, transformers and peft (TRITONRL_REFERENCE_PYTHON, or python3).
# usage: scripts/measure_training.sh [BUILD]
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-build/release}")/bench/bench_training_speed
folder=$(mktemp -d /dev/shm/tritonrl_XXXXXX)
trap 'rm -rf "$folder"' EXIT
"$program"
"${TRITONRL_REFERENCE_PYTHON:-python3}" bench/training_reference.py "$folder" 2> >(grep -v -e Loading -e Writing >&2)
"$program" "$folder"
