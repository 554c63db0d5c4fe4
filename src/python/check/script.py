"""One script, run as its author would."""
import fnmatch
import os
import runpy
import sys
import time
import traceback

from . import events, failures, tests, watch

_PYTEST_NAMES = ("test_*.py", "*_test.py")  # as pytest collects them


def run(script, arguments):
    begin = time.perf_counter()
    sys.argv = [script, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    try:
        with watch.Watch():
            if any(fnmatch.fnmatch(os.path.basename(script), name) for name in _PYTEST_NAMES):
                tests.run_pytest(script, arguments)
            else:
                tests.watch_unittest()
                runpy.run_path(script, run_name="__main__")
    except SystemExit as stop:
        if stop.code not in (None, 0) and not failures.told:  # a runner of tests ends so after failures
            failures.tell_end("SystemExit", f"the script exits with {stop.code!r}", script)
    except BaseException as error:
        traceback.print_exception(error)
        failures.tell(error)
    events.send("end", seconds=time.perf_counter() - begin)
