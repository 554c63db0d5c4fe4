#!/usr/bin/env bash
# On a machine with a GPU: parity of bf16 and 8-bit logits at Qwen2.5-7B's true shape with random weights, tokens a second
# of prefill and decode beside transformers, and a profile of a decoding step. Needs 20 GB of memory in /dev/shm, and a
# Python with torch and transformers (TRITONRL_REFERENCE_PYTHON, or python3).
# usage: scripts/measure_device_model.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
python=${TRITONRL_REFERENCE_PYTHON:-python3}
folder=$(mktemp -d /dev/shm/tritonrl_XXXXXX)
trap 'rm -rf "$folder"' EXIT
"$python" bench/device_reference.py prepare "$folder" 2> >(grep -v -e Loading -e Writing >&2)
"$build/tests/model_logits_probe" "$folder/model" "$folder/tokens.safetensors" "$folder/bf16.safetensors" device=cuda dtype=bf16
"$build/tests/model_logits_probe" "$folder/model" "$folder/tokens.safetensors" "$folder/8bit.safetensors" device=cuda dtype=bf16 8bit
"$python" bench/device_reference.py compare "$folder" bf16 8bit
"$build/bench/bench_device_decode" "$folder/model"
"$build/bench/bench_device_decode" "$folder/model" 8bit new=64
