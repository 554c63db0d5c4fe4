#!/usr/bin/env bash
# Holds our cache of the hub against Python's huggingface_hub: each must find what the other fetched from a small local server.
# Needs TRITONRL_REFERENCE_PYTHON, a Python with huggingface_hub, and the target hub_tool of the build folder given as argument.
set -euo pipefail
cd "$(dirname "$0")/.."
tool="$PWD/${1:-build/release}/tests/hub_tool"
python=${TRITONRL_REFERENCE_PYTHON:?set it to a Python with huggingface_hub}
folder=$(mktemp -d)
export no_proxy=127.0.0.1 HF_HUB_DISABLE_TELEMETRY=1 HF_HUB_DISABLE_XET=1 HF_HUB_DISABLE_PROGRESS_BARS=1 HF_HOME="$folder/home"
unset HF_TOKEN HF_HUB_OFFLINE HF_ENDPOINT HF_HUB_CACHE

mkfifo "$folder/end"
"$tool" serve < "$folder/end" > "$folder/addresses" &
exec 3> "$folder/end"  # the server ends when this is closed
trap 'exec 3>&-; wait; rm -rf "$folder"' EXIT
until [ -s "$folder/addresses" ]; do sleep 0.1; done
read -r models datasets < "$folder/addresses"

# download KIND ID ENDPOINT: prints the folder
python_fetch() {
  HF_ENDPOINT=$3 "$python" - "$1" "$2" "$4" <<'PYTHON'
import sys
from huggingface_hub import snapshot_download
print(snapshot_download(sys.argv[2], repo_type=sys.argv[1], local_files_only=sys.argv[3] == "local"))
PYTHON
}
same() {
  diff -r "$1" "$2"
  [ "$(find "$1" -type l -printf '%P %l\n' | sort)" = "$(find "$2" -type l -printf '%P %l\n' | sort)" ] || { echo "links differ"; exit 1; }
}

for case in "model owner/model $models" "dataset owner/data $datasets"; do
  read -r kind id endpoint <<< "$case"
  export HF_HUB_CACHE="$folder/ours"
  ours=$(HF_ENDPOINT=$endpoint "$tool" fetch "$kind" "$id" main)
  [ "$(python_fetch "$kind" "$id" "$endpoint" local)" = "$ours" ]
  echo "$kind: huggingface_hub finds what we fetched"
  export HF_HUB_CACHE="$folder/theirs"
  theirs=$(python_fetch "$kind" "$id" "$endpoint" remote)
  [ "$("$tool" snapshot "$kind" "$id" main)" = "$theirs" ]
  [ "$(HF_HUB_OFFLINE=1 "$tool" fetch "$kind" "$id" main)" = "$theirs" ]
  echo "$kind: we find what huggingface_hub fetched"
  same "$ours" "$theirs"
done
HF_HUB_CACHE="$folder/ours" "$python" - <<'PYTHON'
from huggingface_hub import scan_cache_dir
info = scan_cache_dir()
assert len(info.repos) == 2 and not info.warnings, info
PYTHON
echo "the two caches have the same links and files, and huggingface_hub finds nothing wrong in ours"
