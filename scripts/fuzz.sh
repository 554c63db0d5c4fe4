#!/usr/bin/env bash
# Fuzzes every reader of model and data files under the address and undefined-behaviour sanitizers, each target for SECONDS with JOBS
# processes, from the tests' own files as seeds. Prints executions, coverage and findings a target; fails if there is a finding.
#
#     scripts/fuzz.sh SECONDS JOBS [TARGET ...]
#
# Builds with clang where the programs are missing (FUZZ_BUILD, default build/fuzz). fuzz_rows_parquet is among them if
# TRITONRL_PYTHON names a Python with pyarrow, whose libraries it links. The others need nothing but libc, so the checkout
# with its build/fuzz/tests can be carried to a larger machine. Corpora and findings stay below FUZZ_BUILD/corpora.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
seconds=${1:?how many seconds a target}
jobs=${2:?how many processes a target}
shift 2
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(fuzz_safetensors fuzz_gguf fuzz_config fuzz_tokenizer_json fuzz_syntax_pickle fuzz_parse fuzz_rows_json fuzz_http_request ${TRITONRL_PYTHON:+fuzz_rows_parquet})
build=$(realpath -m "${FUZZ_BUILD:-build/fuzz}")

for target in "${targets[@]}"; do
  if [ ! -x "$build/tests/$target" ]; then
    cmake --preset fuzz -B "$build" -DTRITONRL_PYTHON="${TRITONRL_PYTHON:-}"
    cmake --build "$build" --target "${targets[@]}"
    break
  fi
done

seeds_of() {
  local goldens=$root/tests/weights/goldens
  case $1 in
    fuzz_safetensors) ls "$goldens"/*.safetensors ;;
    fuzz_gguf) ls "$goldens"/*.gguf ;;
    fuzz_config) ls "$goldens"/config_*.json "$goldens"/adapter_config.json ;;
    fuzz_rows_json) ls "$root"/tests/data/rows/goldens/*types.jsonl "$root"/tests/fuzz/rows/* ;;
    fuzz_rows_parquet) ls "$root"/tests/data/rows/goldens/*types.parquet "$root"/tests/fuzz/parquet/* ;;
    fuzz_http_request) ls "$root"/tests/fuzz/http/* ;;
    fuzz_parse) ls "$root"/tests/fuzz/python/*.py ;;
    fuzz_syntax_pickle) ls "$root"/tests/fuzz/syntax/* ;;
    fuzz_tokenizer_json) ls "$root"/tests/fuzz/tokenizers/*.json "$root"/tests/text/tokenizer/small.json ;;
  esac
}

# A small quarantine, so that what counts against the limit on memory is the reader's own.
export ASAN_OPTIONS=quarantine_size_mb=16:${ASAN_OPTIONS:-}
failed=0
printf '%-22s %14s %10s %10s %10s\n' target executions coverage corpus findings
for target in "${targets[@]}"; do
  work=$build/corpora/$target
  mkdir -p "$work/corpus" "$work/seeds" "$work/findings"
  seeds_of "$target" | xargs -I{} cp {} "$work/seeds/"
  rm -f "$work"/fuzz-*.log
  memory=512
  [ "$target" != fuzz_rows_parquet ] || memory=2560  # the reader lets Arrow have 1 GiB
  # The exit status says what the findings' folder says, too: a finding ends one process, not the others.
  (cd "$work" && "$build/tests/$target" -jobs="$jobs" -workers="$jobs" -max_total_time="$seconds" -rss_limit_mb="$memory" -timeout=5 \
    -print_final_stats=1 -artifact_prefix="$work/findings/" corpus seeds > run.log 2>&1) || true
  executions=$(cat "$work"/fuzz-*.log | awk '/stat::number_of_executed_units/ { sum += $2 } END { print sum + 0 }')
  coverage=$(cat "$work"/fuzz-*.log | grep -o 'cov: [0-9]*' | awk '$2 > most { most = $2 } END { print most + 0 }')
  findings=$(find "$work/findings" -type f ! -name 'slow-unit-*' | wc -l)
  printf '%-22s %14s %10s %10s %10s\n' "$target" "$executions" "$coverage" "$(find "$work/corpus" -type f | wc -l)" "$findings"
  if [ "$findings" -gt 0 ] || [ "$executions" -eq 0 ]; then failed=1; fi
done
[ $failed -eq 0 ] || echo "look into $build/corpora/*/findings and fuzz-*.log" >&2
exit $failed
