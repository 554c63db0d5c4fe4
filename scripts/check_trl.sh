#!/usr/bin/env bash
# Real TRL, 20 steps, rewarded by the built `tritonrl serve` (scripts/check_trl.py). Makes .venv-trl, which takes torch from the Python with
# which the build was configured, unless TRL_PYTHON names a Python that has trl.
#   scripts/check_trl.sh [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
python=${TRL_PYTHON:-$PWD/.venv-trl/bin/python3}
if [ ! -x "$python" ]; then
  with_torch=$(sed -n 's/^TRITONRL_PYTHON:[A-Z]*=//p' "$build/CMakeCache.txt")
  "${with_torch:-python3}" -m venv .venv-trl
  "$with_torch" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])' > "$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')/torch.pth"
  "$python" -m pip install -q trl
fi
exec "$python" scripts/check_trl.py "$build"
