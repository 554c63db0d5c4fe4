#!/usr/bin/env python3
"""What each entry of the test suite costs in processor time, its children included, dearest first: one after the other, so that
a busy machine changes little. Says where the gate's minutes go.
usage: scripts/measure_tests.py BUILD [NAME_PATTERN]"""
import json
import os
import re
import resource
import subprocess
import sys
import time


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def main():
    build = sys.argv[1]
    wanted = re.compile(sys.argv[2] if len(sys.argv) > 2 else "")
    listed = json.loads(subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True).stdout)
    rows = []
    for test in listed["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        if "gpu" in properties.get("LABELS", []) or not wanted.search(test["name"]) or "command" not in test:
            continue
        environment = dict(os.environ, **dict(line.split("=", 1) for line in properties.get("ENVIRONMENT", [])))
        before, began = used(), time.time()
        done = subprocess.run(test["command"], cwd=properties.get("WORKING_DIRECTORY", build), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rows.append((used() - before, time.time() - began, test["name"], done.returncode))
        print(f"{rows[-1][0]:8.1f} s processor {rows[-1][1]:8.1f} s wall  {test['name']}{'' if done.returncode == 0 else '  FAILED'}", flush=True)
    rows.sort(reverse=True)
    print(f"\n{'processor':>10}{'share':>8}  test")
    total = sum(row[0] for row in rows)
    for processor, _, name, _ in rows[:40]:
        print(f"{processor:10.1f}{100 * processor / max(total, 1e-9):7.1f}%  {name}")
    print(f"{total:10.1f}  in all, {len(rows)} entries")


main()
