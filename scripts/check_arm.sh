#!/usr/bin/env bash
# Whether ARM generates the same pairs as this machine, byte for byte: compiles the generator for it and runs it in an emulator.
#   scripts/check_arm.sh [PAIRS] [SEED]        needs g++-aarch64-linux-gnu and qemu-user, and the release build
set -euo pipefail
cd "$(dirname "$0")/.."
pairs=${1:-1000}
seed=${2:-1}
compiler=aarch64-linux-gnu-g++
for tool in "$compiler" qemu-aarch64; do
  command -v "$tool" > /dev/null || { echo "$tool is missing: apt-get install g++-aarch64-linux-gnu qemu-user" >&2; exit 2; }
done
ninja -C build/release write_pairs > /dev/null
native=$(find build/release -name write_pairs -type f)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s /usr/include/nlohmann "$folder/nlohmann"  # headers alone; the rest of /usr/include is not ARM's

# The build's own commands for the program and its libraries, with another compiler and no parse of headers before.
(cd build/release && ninja -t compdb) > "$folder/all.json"
(cd build/release && ninja -t inputs write_pairs) > "$folder/inputs.txt"
python3 - "$folder" "$compiler" > "$folder/commands.txt" <<'PYTHON'
import json, pathlib, shlex, sys
folder, compiler = sys.argv[1:]
wanted = {str(pathlib.Path(line.strip())) for line in open(f"{folder}/inputs.txt")}
for entry in json.load(open(f"{folder}/all.json")):
    if entry.get("output") not in wanted or not entry["output"].endswith((".cpp.o", ".cxx.o")):
        continue
    if entry["output"].startswith("src/sandbox"):  # linked, never called, and not ARM's to test here
        continue
    words = shlex.split(entry["command"])
    words = words[next(i for i, word in enumerate(words) if word.endswith("++")) + 1:]
    kept, skip = [], 0
    for i, word in enumerate(words):
        if skip:
            skip -= 1
        elif word in ("-o", "-MF", "-MT", "-include"):
            skip = 1
        elif word in ("-MD", "-Winvalid-pch") or word.startswith("-march"):
            continue
        else:
            kept.append(word)
    out = f"{folder}/{entry['output'].replace('/', '_')}"
    print(f"cd {shlex.quote(entry['directory'])} && {compiler} -I{folder} " + shlex.join(kept) + f" -o {out}")
PYTHON
xargs -P "$(nproc)" -I{} sh -c '{}' < <(sed "s/'/'\\\\''/g; s/^/'/; s/\$/'/" "$folder/commands.txt")
ar rcs "$folder/all.a" $(ls "$folder"/*.o | grep -v write_pairs.cpp)
"$compiler" -static -Wl,--unresolved-symbols=ignore-all "$folder"/*write_pairs.cpp.o -Wl,--start-group "$folder/all.a" -Wl,--end-group -o "$folder/write_pairs"
file "$folder/write_pairs" 2> /dev/null | cut -d, -f1-2 || true
here=$("$native" "$pairs" "$seed" fast=0.5 | sha256sum | cut -d' ' -f1)
there=$(qemu-aarch64 "$folder/write_pairs" "$pairs" "$seed" fast=0.5 | sha256sum | cut -d' ' -f1)
echo "$(uname -m): $here"
echo "aarch64: $there"
[ "$here" = "$there" ] && echo "$pairs pairs of seed $seed are the same" || { echo "they DIFFER"; exit 1; }
