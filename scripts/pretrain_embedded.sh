#!/usr/bin/env bash
# Trains the small model that needs no other from scratch, on a GPU, in the time that is given: a short run measures tokens a second, from which
# the number of steps follows, so that the schedule ends with the time. Writes checkpoints/pretrain_final; with a checkout of KernelBench
# its greedy answers are judged, too. 7.6 million parameters are 15.2 MB in bfloat16. A fifth of the examples are real modules, as they are and with
# formulas planted in them, where there is a corpus, made by
#   options="--policy both --prompt short --facts values --plan lines --names counted"
#   scripts/make_corpus.sh --no-verify $options
#   tritonrl prepare --rewrite data/corpus/pairs/sft_train.jsonl --plants 4 --keep-duplicates --labels text --validation 0 --test 0 $options --out data/corpus/planted
# A number in checkpoints/pretrain/steps is taken as it is, whatever the minutes. With STOP_AFTER=9 it stops after nine minutes; the same command goes on.
# START=FOLDER begins with the weights and the tokenizer of an earlier model, at a lower rate (RATE, 2.5e-3); DATA_SHARE (0.2) is the corpus's part of the
# examples; CONTEXT (4096) tokens is the longest example, and what the model can read then, also where the earlier one could not.
#
#   scripts/pretrain_embedded.sh MINUTES [CHECKOUT]
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:?minutes of training}
checkout=${2:-}
program=build/release/tritonrl
batch=65536
context=${CONTEXT:-4096}
shape=(--layers 9 --hidden 256 --heads 4 --kv-heads 2 --intermediate 768 --vocabulary 3072 --tokenizer-pairs 6000 --context $context --longest $context --batch-tokens $batch --pass-tokens $batch)
pairs=(--facts values --plan lines --names counted --lone-operators --styles real --chains 2)
corpus=data/corpus/planted/sft_train.jsonl
[ ! -f $corpus ] || pairs+=(--data $corpus --data-share "${DATA_SHARE:-0.2}")
if [ -n "${START:-}" ]; then
  rm -rf checkpoints/start && mkdir -p checkpoints/start && cp "$START"/*.json "$START"/*.safetensors checkpoints/start/
  sed -i -E "s/(\"(max_position_embeddings|model_max_length)\": )[0-9]+/\1$context/" checkpoints/start/config.json checkpoints/start/tokenizer_config.json
  pairs+=(--start checkpoints/start --learning-rate "${RATE:-2.5e-3}")
fi
if [ ! -f checkpoints/pretrain/steps ]; then
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  $program pretrain "${shape[@]}" "${pairs[@]}" --steps 100000 --stop-after-minutes 0.25 --log-every 20 --checkpoints "$scratch/c" --runs "$scratch/r" || [ $? -ge 128 ]
  rate=$(tail -n 1 "$scratch/r/pretrain/metrics.jsonl" | python3 -c "import json,sys; print(int(json.loads(sys.stdin.read())['tokens_per_second']))")
  mkdir -p checkpoints/pretrain
  cp -r "$scratch/c/pretrain/tokenizer" checkpoints/pretrain/
  python3 -c "print(int($rate * $minutes * 60 / $batch))" > checkpoints/pretrain/steps
  echo "$rate tokens a second: $(cat checkpoints/pretrain/steps) steps in $minutes minutes"
fi
$program pretrain "${shape[@]}" "${pairs[@]}" --steps "$(cat checkpoints/pretrain/steps)" --log-every 20 ${STOP_AFTER:+--stop-after-minutes "$STOP_AFTER"}
[ -z "$checkout" ] || $program eval --model checkpoints/pretrain_final --tasks "$checkout" --levels 1,2 --temperature 0 --max-new-tokens 3000 --slots 200
