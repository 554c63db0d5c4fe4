#!/usr/bin/env bash
# Everything that a bare Debian or Ubuntu machine lacks: system packages, a Python with torch and triton, and the build.
# Safe to run again: each step is skipped when there is nothing to do. Ends with the release build in build/release: all of it (then with
# the tools that scripts/check_style.sh needs), or the target that is named (`programs`: what users run, without tests and benchmarks).
set -euo pipefail
cd "$(dirname "$0")/.."

torch_version=2.13.0
triton_version=3.7.1
pyarrow_version=26.0.1
cuda_version=13.4.92  # the driver's header
packages=(g++ mold cmake ninja-build ccache git ca-certificates python3 python3-venv python3-pip nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libseccomp-dev libsqlite3-dev libgtest-dev libcurl4-openssl-dev libssl-dev)
[ "${1:-all}" = all ] && packages+=(clang-format-14 clang-tidy-14)

say() { printf '\n== %s\n' "$*"; }

install_packages() {
  command -v dpkg-query > /dev/null || { say "no dpkg here: install ${packages[*]} yourself"; return; }
  local missing=()
  for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  # a staged machine (scripts/stage_offline.sh) has the libraries in .stage and the tools already
  [ ${#missing[@]} -eq 0 ] || [ -d .stage/usr ] && return
  say "installing ${missing[*]}"
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
}

# Whether the interpreter has torch >= 2.11 and triton >= 3.6, told without importing them.
can_record() {
  "$1" - 2> /dev/null <<'PYTHON'
import importlib.metadata as m, sys
at_least = lambda name, least: tuple(int(p) for p in m.version(name).split("+")[0].split(".")[:2]) >= least
sys.exit(0 if at_least("torch", (2, 11)) and at_least("triton", (3, 6)) else 1)
PYTHON
}

choose_python() {
  local active
  for active in "${TRITONRL_PYTHON:-}" "$(command -v python3 || true)" "$PWD/.venv/bin/python3"; do
    if [ -n "$active" ] && can_record "$active"; then python="$active"; return; fi
  done
  say "making .venv with torch $torch_version and triton $triton_version"
  python3 -m venv .venv
  .venv/bin/pip install -q "torch==$torch_version" "triton==$triton_version" numpy einops "pyarrow==$pyarrow_version" "nvidia-cuda-runtime==$cuda_version"
  python="$PWD/.venv/bin/python3"
}

# Parquet files are read through its libraries. Another's Python is left as it is: JSON is read without.
add_pyarrow() {
  [ "$python" = "$PWD/.venv/bin/python3" ] || return 0
  "$python" -c 'import importlib.metadata as m; m.version("pyarrow")' 2> /dev/null || "$python" -m pip install -q "pyarrow==$pyarrow_version"
}

install_packages
choose_python
add_pyarrow
say "building with $python"
cmake --preset release -DTRITONRL_PYTHON="$python" > /dev/null
cmake --build build/release --target "${1:-all}"
