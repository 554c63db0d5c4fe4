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
COPY = b"copy"  # instead of a policy
HANDLER_RAISED = 70
CHANNEL = 3
LARGE_PAGE = 2 << 20
MADV_COLLAPSE = 25
_exit = os._exit  # a handler may replace the one in os
_system = ctypes.PyDLL(None, use_errno=True)


def serve(control_fd, library_path, handler):
    """Forks a confined process for every policy that comes in on `control_fd`, and calls `handler(channel_fd)` in it. Asked for a copy
    it forks one of itself, which serves whoever holds the other end of the socket that came along.

    The calling process must have one thread. Never returns: the process ends when the other side closes the socket.
    """
    library = ctypes.PyDLL(library_path)
    control = socket.socket(fileno=control_fd)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps the keepers
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.freeze()  # else the first collection in a child would touch, and so copy, every page of the zygote
    gc.enable()
    _use_large_pages()
    sys.stdout.flush()
    sys.stderr.flush()
    control.send(b"ready")
    while True:
        policy, descriptors, _, _ = socket.recv_fds(control, MAX_POLICY_BYTES, 3)
        if not policy:
            _exit(0)
        try:
            if len(descriptors) == 3 and policy == COPY:
                if copy := _fork():
                    control.send(b"%d" % copy)
                else:
                    control = _become_copy(control, *descriptors)
                    continue
            elif len(descriptors) == 3 and _fork() == 0:
                _keep(library, policy, *descriptors, handler)
        except OSError as error:  # no process to be had: the other side sees its descriptors close
            print(f"zygote: {error}", file=sys.stderr, flush=True)
        for descriptor in descriptors:
            os.close(descriptor)


def _become_copy(control, new_control, output, spare):
    """In the copy: what it prints goes to its own owner, with whom it also ends."""
    control.close()
    os.setsid()
    for stream in (1, 2):
        os.dup2(output, stream)
    os.close(output)
    os.close(spare)
    control = socket.socket(fileno=new_control)
    control.send(b"ready")
    return control


def _fork():
    """fork() alone. Python's own repairs locks and reseeds generators, which a process with one thread does not need, and copies
    hundreds of pages doing so: twice a job."""
    pid = _system.fork()
    if pid < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return pid


def _use_large_pages():
    """Moves our memory to large pages where the kernel can (since 6.1): fork and exit then copy and free hundreds of entries instead
    of tens of thousands. Writing in a child still copies small pages. Where it cannot, all is as before, only slower."""
    _system.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        areas = [line.split() for line in maps]
    for place, rights, _, _, _, *name in areas:
        if rights == "rw-p" and name in ([], ["[heap]"]):
            begin, end = (int(address, 16) for address in place.split("-"))
            for address in range(-(-begin // LARGE_PAGE) * LARGE_PAGE, end - LARGE_PAGE + 1, LARGE_PAGE):
                _system.madvise(address, LARGE_PAGE, MADV_COLLAPSE)


def _keep(library, policy, channel, log, keeper, handler):
    """The keeper: isolates itself, forks the process to confine, and watches over it. Never returns."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        library.tritonrl_isolate(policy, keeper)
        child = _fork()
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
