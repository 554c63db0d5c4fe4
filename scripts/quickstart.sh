#!/usr/bin/env bash
# Everything once, from a bare machine: set up and build the programs, then let the shipped model learn operators that it has never seen, make a module faster, and
# report. What it does step by step is in configs/quickstart.toml; --module FILE makes a module of yours faster. Run again, it goes on where it was stopped.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh programs
exec build/release/tritonrl quickstart "$@"
