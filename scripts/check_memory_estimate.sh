#!/usr/bin/env bash
# The estimate of a training step's memory beside what torch's allocator had at its peak, for layers of the shapes of real models with random
# weights. Needs a GPU with 24 GB. On the CPU train_memory_test does the same.
#
#   scripts/check_memory_estimate.sh [BUILD]
set -euo pipefail
cd "$(dirname "$0")/.."
exec "$(realpath "${1:-build/release}")"/bench/bench_training_memory
