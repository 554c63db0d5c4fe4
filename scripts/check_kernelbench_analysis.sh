#!/usr/bin/env bash
# KernelBench's own analysis (scripts/benchmark_eval_analysis.py of a checkout) over results of `tritonrl eval`, and its figures against ours: tasks, right
# answers, geometric mean of speed-ups, fast_1 and fast_2, a level each. Exits with 1 where they differ.
#
#   scripts/check_kernelbench_analysis.sh CHECKOUT [RESULTS]      RESULTS: an outputs/eval_NAME.json of that checkout's tasks (default: the teacher's answers to a
#                                                               few tasks of levels 1 and 2, judged here)
# TRITONRL names the program (default build/release/tritonrl), TASKS how many tasks are judged (6), PYTHON an interpreter with numpy (default .venv's, else python3).
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=$(realpath "${1:?path of a KernelBench checkout}")
results=${2:-}
program=${TRITONRL:-build/release/tritonrl}
python=${PYTHON:-$([ -x .venv/bin/python3 ] && echo .venv/bin/python3 || echo python3)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$results" ]; then
  results=$work/eval_teacher.json
  "$program" eval --model teacher --tasks "$checkout" --levels 1,2 --num-tasks "${TASKS:-6}" --samples 2 --out "$results"
fi
# the same command writes KernelBench's files from what is judged already
"$program" eval --from-results "$results" --kernelbench-results "$work" --name checked
"$python" - "$checkout" "$work" <<'PYTHON'
import contextlib, importlib.util, io, json, pathlib, sys, types
checkout, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
# what their script imports to read its command line and to draw a table
for name, members in (("pydra", {"Config": object, "REQUIRED": None, "main": lambda **_: lambda function: function}),
                      ("tabulate", {"tabulate": lambda *rows, **_: str(rows)})):
    try:
        importlib.import_module(name)
    except ImportError:
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)
# their package's __init__ needs a GPU's libraries; the two files that count do not
package = types.ModuleType("kernelbench")
package.__path__ = [str(checkout / "src" / "kernelbench")]
sys.modules["kernelbench"] = package
spec = importlib.util.spec_from_file_location("analysis", checkout / "scripts" / "benchmark_eval_analysis.py")
analysis = importlib.util.module_from_spec(spec)
spec.loader.exec_module(analysis)

failed = False
for run in sorted(work.glob("checked_level*")):
    level = int(run.name.rsplit("level", 1)[1])
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        theirs = analysis.analyze_greedy_eval(run.name, "any", "checked_baseline", level, baseline_file=str(work / "checked_baseline.json"), eval_results_dir=str(work))
    of = json.load(open(run / "metrics.json"))
    judged = of["num_tasks"] - of["not_judged"]
    pairs = [("right answers", theirs["correct_count"], round(of["correct_rate"] * judged))]
    pairs.append(("geometric mean", theirs["geo_mean_speedup"], of.get("geometric_mean_speedup") or 0))
    pairs += [(f"fast_{p}", theirs["fast_p"][f"{p}.0"], of[f"fast_{p}"]) for p in (1, 2)]
    pairs += [(k, v, of[k[len("avg_"):]]) for k, v in theirs.get("pass_at_k", {}).get("averages", {}).items()]
    for what, their, our in pairs:
        same = our is not None and abs(their - our) <= 1e-6 * max(1, abs(their))
        failed |= not same
        print(f"level {level}: {what}: KernelBench's analysis {their:.6g}, ours {our if our is None else format(our, '.6g')}" + ("" if same else "   DIFFERENT"))
sys.exit(failed)
PYTHON
