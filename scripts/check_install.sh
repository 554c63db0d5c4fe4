#!/usr/bin/env bash
# Whether what `cmake --install` leaves works from any folder: a kernel is executed, a model answers, a parquet file is read, no program knows
# where it was built, and a torch of another release is refused.
#   scripts/check_install.sh BUILD PYTHON
set -euo pipefail
build=$(realpath "$1") python=$(realpath -s "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

cmake --install "$build" --prefix "$folder/made" > /dev/null
mv "$folder/made" "$folder/another place"
home="$folder/another place/lib/tritonrl" examples="$folder/another place/share/tritonrl/examples"
tritonrl="$folder/another place/bin/tritonrl"
cd "$folder"
export TRITONRL_CACHE="$folder/cache" TRITONRL_PYTHON="$python"
unset LD_LIBRARY_PATH VIRTUAL_ENV CONDA_PREFIX

for program in "$home"/tritonrl* "$home"/*.so; do
  path=$(readelf -d "$program" | sed -n 's/.*\(RUNPATH\|RPATH\).*\[\(.*\)\]/\2/p')
  [ -z "$path" ] || [ "$path" = '$ORIGIN' ] || fail "$program looks for libraries in $path"
done

"$tritonrl" run "$examples/kernels/softmax.py" --task "$examples/tasks/softmax.py" --set ROWS=4 | grep -q "outputs: equal" || fail "run"

if [ -e "$home/tritonrl-model" ]; then
  [ -n "$("$tritonrl" generate --model "$home/models/embedded" --prompt "import" --temperature 0 --max-new-tokens 4)" ] || fail "generate"
  # an interpreter with another torch, as the program asks it
  printf '#!/bin/sh\necho '\''{"version": "3.12.1", "torch": "2.99.0", "triton": "3.7.1", "torch_folder": "/nowhere", "paths": ["/usr"]}'\''\n' > other
  chmod +x other
  refused() {
    local said code=0
    said=$(TRITONRL_PYTHON="$folder/other" "$tritonrl" "$@" 2>&1) || code=$?
    [ $code -eq 2 ] || fail "another torch: $1 gave $code instead of 2"
    [[ $said == *"has torch 2.99.0, and this tritonrl was built for torch "* ]] || fail "another torch: $1 said $said"
  }
  refused generate --model "$home/models/embedded" --prompt x
  refused verify "$examples/kernels/softmax.py" --task "$examples/tasks/softmax.py"
fi

if [ -e "$home/libtritonrl_parquet.so" ]; then
  "$python" - "$examples/tasks/softmax.py" "$folder/one.parquet" <<'PYTHON'
import sys
import pyarrow, pyarrow.parquet
source = open(sys.argv[1]).read()
pyarrow.parquet.write_table(pyarrow.table({"python_code": [source], "entry_point": ["Model"]}), sys.argv[2])
PYTHON
  "$tritonrl" prepare "$folder/one.parquet" --out "$folder/data" --no-decontaminate --quiet > /dev/null || fail "prepare"
fi
echo "an installed tritonrl works from any folder"
