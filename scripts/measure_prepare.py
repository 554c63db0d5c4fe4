#!/usr/bin/env python3
"""What `tritonrl prepare` costs on made-up rows in KernelBook's schema and size: seconds, memory of all its processes, and whether
parquet, JSON and JSON lines of the same rows give the same bytes.

    scripts/measure_prepare.py BUILD [--rows 18000] [--times 10] [--folder FOLDER]

Run with a Python that has pyarrow. Needs some 3 GB below FOLDER (default: a temporary one) for ten times the rows.
"""
import argparse
import filecmp
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def children_of(pid):
    found = {pid}
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parents[int(entry)] = int(pathlib.Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                pass
    for _ in range(6):
        found |= {child for child, parent in parents.items() if parent in found}
    return found


def resident(pid):
    """KiB, shared pages divided among those who share them; the plain figure where that is hidden."""
    for name, key in (("smaps_rollup", "Pss:"), ("status", "VmRSS:")):
        try:
            for line in pathlib.Path(f"/proc/{pid}/{name}").read_text().splitlines():
                if line.startswith(key):
                    return int(line.split()[1])
        except OSError:
            pass
    return 0


def run(command):
    """Seconds, and the most MiB that all its processes held together."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    most = 0

    def watch():
        nonlocal most
        while process.poll() is None:
            most = max(most, sum(resident(pid) for pid in children_of(process.pid)))
            time.sleep(0.25)

    watching = threading.Thread(target=watch)
    watching.start()
    output = process.stdout.read()
    if process.wait() != 0:
        sys.exit(f"{' '.join(map(str, command))} failed")
    watching.join()
    return time.monotonic() - begin, most / 1024, output.splitlines()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=18000)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    folder = options.folder or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)

    def measure(name, rows, kind, *extra):
        source = folder / f"{name}_{rows}" / f"rows.{kind}"
        source.parent.mkdir(exist_ok=True)
        if not source.exists():
            subprocess.run([sys.executable, ROOT / "scripts/make_synthetic_kernelbook.py", source, "--rows", str(rows), "--format", kind,
                            *extra], check=True, stdout=subprocess.DEVNULL)
        out = folder / f"out_{name}_{rows}"
        seconds, memory, summary = run([options.build / "tritonrl", "prepare", source, "--out", out, "--quiet"])
        print(f"{name:16} {rows:8} rows {source.stat().st_size / 1e6:8.0f} MB  {seconds:7.1f} s  {memory:6.0f} MiB  {summary}", flush=True)
        return out

    first = measure("parquet_zstd", options.rows, "parquet", "--compression", "zstd")
    same = True
    for name, kind, *extra in (("parquet_snappy", "parquet", "--compression", "snappy"), ("json", "json"), ("jsonl", "jsonl")):
        other = measure(name, options.rows, kind, *extra)
        names = sorted(p.name for p in first.iterdir())
        differing = filecmp.cmpfiles(first, other, names, shallow=False)
        same = same and differing[0] == names
    print("the same bytes from every format:", "yes" if same else "NO")
    if options.times > 1:
        measure("parquet_zstd", options.rows * options.times, "parquet", "--compression", "zstd")
    sys.exit(0 if same else 1)


main()
