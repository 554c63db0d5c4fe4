#!/usr/bin/env bash
# The built `tritonrl serve` under 200 clients, malformed requests and a stop (scripts/check_serve.py), then schemathesis against its own
# description. Makes .venv-schemathesis unless SCHEMATHESIS names the program.
#   scripts/check_serve.sh [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
python3 scripts/check_serve.py "$build"

program=${SCHEMATHESIS:-$PWD/.venv-schemathesis/bin/schemathesis}
if [ ! -x "$program" ]; then
  python3 -m venv .venv-schemathesis
  .venv-schemathesis/bin/pip install -q schemathesis
fi
folder=$(mktemp -d)
"$build/tritonrl" serve --port 0 --cache "$folder/cache" > "$folder/out" &
server=$!
trap 'kill "$server" 2> /dev/null; wait "$server" || true; rm -rf "$folder"' EXIT
for _ in $(seq 300); do
  grep -q listening "$folder/out" && break
  sleep 0.1
done
url=$(sed -n 's/^listening at //p' "$folder/out")
# No schema can tell which sources are tasks (422), and a job's name may be one that there is not (404).
cat > "$folder/schemathesis.toml" <<'TOML'
[checks.positive_data_acceptance]
expected-statuses = ["2xx", 404, 422, 429, 503]
TOML
(cd "$folder" && "$program" --config-file schemathesis.toml run "$url/openapi.json" --max-examples "${EXAMPLES:-50}" --seed 1)
