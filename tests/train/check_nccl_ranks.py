#!/usr/bin/env python3
"""The ranks of train/nccl_communicator.h meet, exchange, and end together when one fails or vanishes; with a library that stands in for NCCL
(stand_in_nccl.cpp), so that no GPU is needed.

usage: check_nccl_ranks.py TOOL STAND_IN      (the program of ranks_tool.cpp; the library)
"""
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

tool, stand_in = sys.argv[1:]
library = pathlib.Path(tempfile.mkdtemp(prefix="tritonrl_nccl_"))
(library / "libnccl.so.2").symlink_to(pathlib.Path(stand_in).resolve())


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def job(what, ranks):
    """What each rank printed, and its exit code."""
    shared = {"WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "LD_LIBRARY_PATH": str(library)}
    started = [subprocess.Popen([tool, what], env={**os.environ, **shared, "RANK": str(rank), "LOCAL_RANK": str(rank)}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE) for rank in range(ranks)]
    said = [process.communicate(timeout=100) for process in started]
    return [(process.returncode, out, errors) for process, (out, errors) in zip(started, said)]


for ranks in (1, 3):
    for rank, (code, out, errors) in enumerate(job("exchange", ranks)):
        expected = f"{rank}/{ranks} sum {sum(r + 1.5 for r in range(ranks)):g} any {int(ranks > 1)} none 0\n"
        assert (code, out) == (0, expected), (code, out, expected, errors)
for rank, (code, out, errors) in enumerate(job("fail", 3)):
    assert code == 2 and "no data" in errors, (rank, code, errors)
first, second, last = job("vanish", 3)
assert last[0] == 9
for code, _, errors in (first, second):
    assert code == 2 and "rank 2 was not heard of" in errors, (code, errors)
print("1 and 3 ranks met and exchanged; all ended with a message when one failed, and when one vanished")
(library / "libnccl.so.2").unlink()
library.rmdir()
