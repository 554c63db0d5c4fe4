"""A warm interpreter from which sandboxed processes are forked; the other side is src/sandbox/zygote.cpp."""

import ctypes
import gc
import os
import signal
import socket
import sys
import tempfile
import traceback

MAX_POLICY_BYTES = 1 << 18
HANDLER_RAISED = 70
CHANNEL = 3
_exit = os._exit  # a handler may replace the one in os


def serve(control_fd, library_path, handler):
    """Forks a confined process for every policy that comes in on `control_fd`, and calls `handler(channel_fd)` in it.

    The calling process must have one thread. Never returns: the process ends when the other side closes the socket.
    """
    library = ctypes.PyDLL(library_path)
    control = socket.socket(fileno=control_fd)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps the keepers
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.collect()
    gc.freeze()  # else the first collection in a child would touch, and so copy, every page of the zygote
    sys.stdout.flush()
    sys.stderr.flush()
    control.send(b"ready")
    while True:
        policy, descriptors, _, _ = socket.recv_fds(control, MAX_POLICY_BYTES, 3)
        if not policy:
            _exit(0)
        try:
            if len(descriptors) == 3 and os.fork() == 0:
                _keep(library, policy, *descriptors, handler)
        except OSError as error:  # no process to be had: the other side sees its descriptors close
            print(f"zygote: {error}", file=sys.stderr, flush=True)
        for descriptor in descriptors:
            os.close(descriptor)


def _keep(library, policy, channel, log, keeper, handler):
    """The keeper: isolates itself, forks the process to confine, and watches over it. Never returns."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        library.tritonrl_isolate(policy, keeper)
        child = os.fork()
        if child == 0:
            library.tritonrl_confine(channel, log)
            _run(handler)
        library.tritonrl_keep(child, keeper)
    except BaseException:
        traceback.print_exc()
    finally:
        _exit(HANDLER_RAISED)


def _run(handler):
    code = HANDLER_RAISED
    try:
        scratch = os.getcwd()
        os.environ["HOME"] = os.environ["TMPDIR"] = tempfile.tempdir = scratch
        handler(CHANNEL)
        code = 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            _exit(code & 0xFF)
