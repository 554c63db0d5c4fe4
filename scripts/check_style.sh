#!/usr/bin/env bash
# What a reviewer should not have to look for: the layout of every file (.clang-format) and the short list of .clang-tidy over all of src/.
# Needs a configured release build, whose joined files clang-tidy reads: all of src/ in three minutes on two quiet cores.
#   --touched   clang-tidy reads what the last ten commits and the work tree touch, as the gate has it: the rest passed before
#   --layout    the layout alone
#   --fix       lays files out
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(find src tests bench -name '*.h' -o -name '*.cpp')
if [ "${1:-}" = --fix ]; then
  clang-format-14 -i "${files[@]}"
  exit
fi
clang-format-14 --dry-run -Werror "${files[@]}"
if [ "${1:-}" = --layout ]; then
  echo "${#files[@]} files keep to the layout"
  exit
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
touched=all
if [ "${1:-}" = --touched ]; then
  touched=$({ git log -10 --name-only --format=; git diff HEAD --name-only; git ls-files --others --exclude-standard; } 2> /dev/null || echo all)
fi
# GCC's precompiled headers and OpenMP are not clang's
python3 - "$folder" "$touched" > "$folder/units" <<'PYTHON'
import json, pathlib, re, sys
touched = None if sys.argv[2] == "all" else {str(pathlib.Path(p).with_suffix("").resolve()) for p in sys.argv[2].split("\n")}


def is_touched(unit):
    """Itself, a file that is joined into it, or a header of one of them."""
    files = re.findall(r'^#include "([^"]+\.cpp)"$', pathlib.Path(unit["file"]).read_text(), re.M) or [unit["file"]]
    return touched is None or any(str(pathlib.Path(file).with_suffix("")) in touched for file in files)


units = [u for u in json.load(open("build/release/compile_commands.json"))
         if re.search(r"-o src/\S+\.o ", u["command"]) and not re.search(r"_files\.cpp$|embedded_modules\.cpp$", u["file"])]
for unit in units:
    unit["command"] = re.sub(r" -Winvalid-pch| -include \S+/cmake_pch\.hxx| -fopenmp", "", unit["command"])
    if is_touched(unit):
        print(unit["file"])
pathlib.Path(sys.argv[1], "compile_commands.json").write_text(json.dumps(units))
PYTHON
xargs -r -a "$folder/units" -P "$(nproc)" -n 1 clang-tidy-14 --quiet -p "$folder" 2> "$folder/errors" || { cat "$folder/errors" >&2; exit 1; }
echo "${#files[@]} files keep to the layout, and $(wc -l < "$folder/units") units of src/ to .clang-tidy"
