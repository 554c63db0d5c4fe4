#!/usr/bin/env bash
# What a build from nothing costs: processor time (user and system, of all its processes) and wall time of the programs that users run and
# of everything, without ccache, in a folder of its own. For figures before and after, run both on the same quiet machine, in the same hour.
# usage: scripts/measure_build.sh [CHECKOUT]      (this one; uses TRITONRL_PYTHON, or the Python that CHECKOUT was configured with)
set -euo pipefail
checkout=$(realpath "${1:-$(dirname "$0")/..}")
python=${TRITONRL_PYTHON:-$(sed -n 's/^TRITONRL_PYTHON:FILEPATH=//p' "$checkout/build/release/CMakeCache.txt" 2> /dev/null || true)}
[ -n "$python" ] || { echo "set TRITONRL_PYTHON to a Python with torch, or run scripts/setup.sh there first" >&2; exit 2; }
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
export CCACHE_DISABLE=1
cd "$checkout"
cmake --preset release -B "$build" -DTRITONRL_PYTHON="$python" > /dev/null
echo "commit $(git rev-parse --short HEAD), $(nproc) cores, $(c++ --version | head -1)"
python3 - "$build" <<'PYTHON'
import resource, subprocess, sys, time

def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime

began, used = time.time(), children()
print(f"{'built':10}{'processor':>12}{'wall':>10}")
for target in ("programs", "all"):
    subprocess.run(["cmake", "--build", sys.argv[1], "--target", target], check=True, stdout=subprocess.DEVNULL)
    minutes = [(children() - used) / 60, (time.time() - began) / 60]
    print(f"{target:10}{minutes[0]:8.1f} min{minutes[1]:6.1f} min", flush=True)
PYTHON
