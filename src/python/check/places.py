"""Which line of the user's files is running."""
import os
import sys
import sysconfig

_libraries = tuple(os.path.join(os.path.realpath(sysconfig.get_path(name)), "") for name in ("stdlib", "platstdlib", "purelib", "platlib"))
_known = {}  # by file: whether it is a library's


def add_library(module):
    """Everything beside it is no user's file."""
    global _libraries
    _libraries += (os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(module.__file__))), ""),)


def is_library(file):
    found = _known.get(file)
    if found is None:
        found = _known[file] = file.startswith(("tritonrl:", "<")) or os.path.realpath(file).startswith(_libraries)
    return found


def running():
    """(file, line) of the innermost frame that is no library's; ("", 0): there is none."""
    frame = sys._getframe(1)
    while frame is not None:
        if not is_library(frame.f_code.co_filename):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return "", 0


def of_traceback(trace):
    """The innermost place of a traceback in the user's files."""
    place = "", 0
    while trace is not None:
        if not is_library(trace.tb_frame.f_code.co_filename):
            place = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return place
