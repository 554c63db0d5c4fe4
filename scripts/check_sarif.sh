#!/usr/bin/env bash
# What `tritonrl check --sarif` writes against the schema of SARIF 2.1.0, with scripts that have findings, raise, and are not checked.
#   scripts/check_sarif.sh SCHEMA     sarif-2.1/schema/sarif-schema-2.1.0.json of github.com/oasis-tcs/sarif-spec
# PYTHON: one with jsonschema (default: the active one).
set -euo pipefail
schema=$(realpath "${1:?the schema of SARIF 2.1.0}")
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/raises in a folder with ünusual name.py" <<'PYTHON'
raise ValueError("a line\nand \x1b another")
PYTHON
cp tests/check/bugs/missing_mask.py "$folder/with a space.py"
code=0
build/release/tritonrl check --quiet --sarif "$folder/out.sarif" tests/check/bugs/*.py tests/check/unchecked/*.py "$folder"/*.py > "$folder/text" || code=$?
[ "$code" = 1 ] || { cat "$folder/text"; echo "exit $code, not 1"; exit 1; }
"${PYTHON:-python3}" - "$schema" "$folder/out.sarif" <<'PYTHON'
import json, sys
import jsonschema
schema, sarif = (json.load(open(path)) for path in sys.argv[1:])
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
errors = list(kind(schema, format_checker=kind.FORMAT_CHECKER).iter_errors(sarif))
for error in errors[:20]:
    print("/".join(map(str, error.absolute_path)), error.message[:200])
[run] = sarif["runs"]
rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
wrong = [r["ruleId"] for r in run["results"] if rules[r["ruleIndex"]] != r["ruleId"]]
notes = run["invocations"][0]["toolExecutionNotifications"]
print(f"{len(run['results'])} results of {len({r['ruleId'] for r in run['results']})} rules, {len(notes)} notifications, {len(errors)} errors against {schema['$id'] if '$id' in schema else sys.argv[1]}")
sys.exit(1 if errors or wrong or not notes else 0)
PYTHON
