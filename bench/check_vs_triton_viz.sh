#!/usr/bin/env bash
# `tritonrl check` beside triton-viz's sanitizer and Triton's interpreter on the scripts of bench/check_scripts, all in one run: seconds from a
# script's first line to its end (the tool, torch and triton are imported by then; the script's own compilation counts), the best of several.
# They do not do the same: the sanitizer proves bounds symbolically and calculates nothing where no address depends on data; the
# interpreter calculates and checks nothing; check calculates, and looks for bounds, races, undefined reads, masked values and hints.
#   bench/check_vs_triton_viz.sh PYTHON [REPEATS]      PYTHON: one with torch, triton, triton-viz and pytest
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:?path of a Python with torch, triton, triton-viz and pytest}
repeats=${2:-3}
export CUDA_VISIBLE_DEVICES= OMP_NUM_THREADS=1
exec "$python" - "$python" "$repeats" <<'PYTHON'
import json, os, pathlib, statistics, subprocess, sys, tempfile

python, repeats = sys.argv[1], int(sys.argv[2])
folder = tempfile.mkdtemp()
SANITIZER = """
import sys, time, torch, triton, triton.language
sys.argv = ["triton-sanitizer", sys.argv[1]]
from triton_viz.wrapper import apply_sanitizer
begin = time.perf_counter()
try:
    apply_sanitizer()
except SystemExit as stop:
    assert not stop.code, stop.code
print("seconds", time.perf_counter() - begin)
"""
INTERPRETER = """
import runpy, sys, time, torch, triton, triton.language
begin = time.perf_counter()
runpy.run_path(sys.argv[1], run_name="__main__")
print("seconds", time.perf_counter() - begin)
"""


def run(command, **environment):
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{command}: exit {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


def check(script):
    run(["build/release/tritonrl", "check", "--quiet", "--json", folder + "/report.json", "--python", python, script])
    return json.load(open(folder + "/report.json"))["scripts"][0]["seconds"]


def told(code, **environment):
    return lambda script: float(run([python, "-c", code, script], **environment).rsplit("seconds ", 1)[1])


tools = (check, told(SANITIZER), told(INTERPRETER, TRITON_INTERPRET="1"))
print(f"{'script':<12}{'check':>9}{'sanitizer':>11}{'interpreter':>13}   times check")
ratios = []
for script in sorted(pathlib.Path("bench/check_scripts").glob("*.py")):
    best = [min(tool(str(script)) for _ in range(repeats)) for tool in tools]
    ratios.append((best[1] / best[0], best[2] / best[0]))
    print(f"{script.stem:<12}{best[0]:>9.3f}{best[1]:>11.3f}{best[2]:>13.3f}   {ratios[-1][0]:.1f} {ratios[-1][1]:.1f}", flush=True)
print("geometric mean: sanitizer %.1f, interpreter %.1f times check" % tuple(statistics.geometric_mean(r) for r in zip(*ratios)))
PYTHON
