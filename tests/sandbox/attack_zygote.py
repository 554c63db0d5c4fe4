"""A zygote whose handler runs the Python source that it is sent: `attack_zygote.py LIBRARY FOLDER_OF_ZYGOTE_PY MARKER`.

The source finds `world` (what the test offers to be attacked), `say(text)`, `attempt(action)`, `call(c_function, ...)`.
"""

import ctypes
import json
import os
import sys

sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True

# What attacks use; imported here so that they do not fail for want of a module.
import mmap, resource, select, signal, socket, struct, subprocess, tempfile, threading, time  # noqa: E401,F401,E402
import zygote  # noqa: E402

libc = ctypes.CDLL(None, use_errno=True)
CHANNEL = 3
INHERITED = 50


def read_exactly(length):
    data = b""
    while len(data) < length:
        more = os.read(CHANNEL, length - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def read_frame():
    return read_exactly(int.from_bytes(read_exactly(4), "little"))


def say(text):
    data = text.encode()
    data = len(data).to_bytes(4, "little") + data
    while data:
        data = data[os.write(CHANNEL, data):]


def attempt(action):
    """Says "through" if the action works, else what stopped it."""
    try:
        result = action()
    except BaseException as error:
        say(f"blocked: {type(error).__name__}: {error}")
    else:
        say("through" if result is None else f"through: {result}")


def call(name, *arguments):
    result = getattr(libc, name)(*arguments)
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def handler(_channel):
    world = json.loads(read_frame())
    exec(compile(read_frame(), "attack", "exec"), {**globals(), "world": world, "__name__": "attack"})


# A file of the test that the zygote happens to hold open: what a process must not inherit.
precious = os.environ.get("TRITONRL_TEST_PRECIOUS")
if precious:
    os.dup2(os.open(precious, os.O_WRONLY | os.O_APPEND), INHERITED)
zygote.serve(3, sys.argv[1], handler)
