"""Compilations of one candidate: request in, Triton IR (and machine code) out. Runs in a confined process that dies afterwards.

Triton's front end calls whatever Python the kernel's text can reach, so this process may be the kernel's own before it answers.
"""
import gc
import linecache
import os
import sys

import channel

from . import failure, module, stages, warm


def prepare(_options):
    """In the zygote: everything that all compilations share, warm. Starts no thread."""
    sys.setrecursionlimit(5000)  # deep expressions: the front end walks trees
    warm.up()
    if len(os.listdir("/proc/self/task")) != 1:
        raise RuntimeError("Triton started a thread: this process cannot be forked safely")


def handle(_channel_fd):
    """In the confined child."""
    gc.disable()  # the process is short-lived and its memory is limited
    while True:
        try:
            request = channel.receive()
        except EOFError:  # the parent has all that it wanted
            return
        linecache.clearcache()  # the last kernel's text
        channel.send(_reply(request))


def _reply(request):
    loaded = None
    try:
        loaded = module.load(request["source"])
        return {"kind": "compiled", **stages.compile_kernel(loaded, request)}
    except module.Refused as error:
        return {"kind": "refused", "message": str(error)[:failure.MAX_MESSAGE], "line": error.line}
    except BaseException as error:  # SystemExit and the like are the kernel's doing too
        try:
            return {"kind": "error", **failure.describe(error, loaded)}
        except failure.OutOfMemory:
            return {"kind": "memory"}
