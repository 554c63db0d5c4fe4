"""Where the native program lies, and what it is told of this interpreter."""

import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
# in a wheel; where `cmake --install` laid this folder; in a checkout
PLACES = (HERE / "native" / "tritonrl", HERE.parents[2] / "bin" / "tritonrl", HERE.parents[2] / "build" / "release" / "tritonrl")


class ProgramError(RuntimeError):
    """The program is not there, or failed through no fault of the caller's; its own words are in the message."""


def _is_native(path):
    """The script that pip makes is called tritonrl too, and would call us again."""
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False


def program():
    """The path of the native program: TRITONRL_PROGRAM, that of this package, or the one on PATH."""
    chosen = os.environ.get("TRITONRL_PROGRAM")
    if chosen:
        return chosen
    for place in PLACES:
        if _is_native(place):
            return str(place)
    found = shutil.which("tritonrl")
    if found and _is_native(found):
        return found
    raise ProgramError("the program tritonrl is not there: `pip install .` in a checkout builds it, or name one by TRITONRL_PROGRAM")


def program_environment():
    """This process's, with this interpreter as the one whose torch and triton are used, unless another was chosen."""
    return {"TRITONRL_PYTHON": sys.executable, **os.environ}
