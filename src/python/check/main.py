"""The process: warm once, then a fork for each script."""
import fnmatch
import gc
import importlib.util
import os
import runpy
import sys
import time
import traceback

from . import events, places

_PYTEST_NAMES = ("test_*.py", "*_test.py")  # as pytest collects them


def main(options):
    import torch
    import triton
    from compiler import warm
    from gpu import looks

    from . import benchmarks, cuda, launches, machine, tensors, watch

    for library in (torch, triton):
        places.add_library(library)
    looks.look_torch_cuda()
    looks.look_autocast()
    looks.look_triton()
    looks.set_target(options["target"])
    cuda.install()
    tensors.install()
    launches.install()
    benchmarks.install()
    benchmarks.all_configs, benchmarks.all_sizes = options["all_configs"], options["all_sizes"]
    torch.manual_seed(0)
    machine.machine = machine.Machine(options["library"], options["machine"])
    if len(options["scripts"]) > 1:
        warm.up()  # what all scripts need is made once
    _step_aside()
    for script in options["scripts"]:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            try:
                if options["quiet"]:
                    _silence()
                _check(script, options["arguments"], watch.Watch)
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            events.send("died", script=script, signal=os.WTERMSIG(status))


def _step_aside():
    """Our modules have plain names: the script's own may have the same."""
    for name, module in list(sys.modules.items()):
        origin = getattr(getattr(module, "__spec__", None), "origin", None) or ""
        if origin.startswith("tritonrl:"):
            del sys.modules[name]
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "__main__"]
    gc.freeze()  # else the first collection in a fork would copy all that is shared
    gc.enable()


def _silence():
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)


def _check(script, arguments, watch):
    events.send("begin", script=script)
    begin = time.perf_counter()
    sys.argv = [script, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    try:
        with watch():
            if any(fnmatch.fnmatch(os.path.basename(script), name) for name in _PYTEST_NAMES):
                _run_tests(script, arguments)
            else:
                runpy.run_path(script, run_name="__main__")
    except SystemExit as stop:
        if stop.code not in (None, 0):
            events.send("raised", exception="SystemExit", message=f"the script exits with {stop.code!r}", file=script, line=0)
    except BaseException as error:
        traceback.print_exception(error)
        _tell(error, "")
    events.send("end", seconds=time.perf_counter() - begin)


def _tell(error, test):
    if getattr(error, "tritonrl_told", False):
        return
    file, line = places.of_traceback(error.__traceback__)
    kind = "failed_assert" if isinstance(error, AssertionError) else "raised"
    events.send(kind, exception=type(error).__name__, message=str(error)[:4000], file=file, line=line, test=test)


class _Tests:
    """What pytest tells of each test."""

    def pytest_exception_interact(self, node, call, report):
        _tell(call.excinfo.value, node.nodeid)

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            events.send("test", name=report.nodeid, outcome=report.outcome, seconds=report.duration)


def _run_tests(script, arguments):
    if importlib.util.find_spec("pytest") is None:
        message = f"it is a file of tests, and {sys.executable} has no pytest: install it there, or choose another --python"
        events.send("raised", exception="ModuleNotFoundError", message=message, file=script, line=0)
        return
    import pytest
    code = pytest.main(["-p", "no:cacheprovider", "-q", script, *arguments], plugins=[_Tests()])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        events.send("raised", exception="pytest", message=f"it ends with {code!r}", file=script, line=0)
