#!/usr/bin/env bash
# Tests that judge, record and compile strangers' code, on a machine that gives them too little processor time: what is honest must pass there
# too. Four at a time share a quota (a cgroup, so it needs root).
# usage: scripts/check_busy_machine.sh [PROCESSORS [ctest options]]      (0.9; e.g. 0.5 -R judge_corpus)
set -euo pipefail
cd "$(dirname "$0")/.."
processors=${1:-0.9}
shift || true
[ $# -gt 0 ] || set -- -LE gpu -R 'python_(compile_)?hostile_test|cli_prepare_test|cli_verify_judged_test|judge_corpus_test|judge_denial_test'
quota=$(python3 -c "import sys; print(int(float(sys.argv[1]) * 100000))" "$processors")
if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
  group=/sys/fs/cgroup/tritonrl_busy
  mkdir -p "$group"
  echo "$quota 100000" > "$group/cpu.max"
  members=$group/cgroup.procs
else
  group=/sys/fs/cgroup/cpu/tritonrl_busy
  mkdir -p "$group"
  echo 100000 > "$group/cpu.cfs_period_us"
  echo "$quota" > "$group/cpu.cfs_quota_us"
  members=$group/tasks
fi
( echo "$BASHPID" > "$members"
  exec ctest --test-dir build/release --output-on-failure -j 4 "$@" )
