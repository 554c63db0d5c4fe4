"""Tests as their frameworks run them, told one by one."""
import importlib.util
import sys
import time
import unittest

from . import events, failures


class _Pytest:
    def pytest_runtest_logstart(self, nodeid, location):
        failures.begin_test()

    def pytest_exception_interact(self, node, call, report):
        failures.tell(call.excinfo.value, node.nodeid)

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            events.send("test", name=report.nodeid, outcome=report.outcome, seconds=report.duration)


def run_pytest(script, arguments):
    if importlib.util.find_spec("pytest") is None:
        message = f"it is a file of tests, and {sys.executable} has no pytest: install it there, or choose another --python"
        failures.tell_end("ModuleNotFoundError", message, script)
        return
    import pytest
    code = pytest.main(["-p", "no:cacheprovider", "-q", script, *arguments], plugins=[_Pytest()])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        failures.tell_end("pytest", f"it ends with {code!r}", script)


def watch_unittest():
    """A script's `unittest.main()`: what its results are told, we tell."""
    result = unittest.TestResult
    begins = {}

    def watch(name, outcome, place_of_error):
        original = getattr(result, name)

        def added(self, test, *rest):
            error = rest[place_of_error] if place_of_error is not None else None
            if error is not None:
                failures.tell(error[1], test.id())
            if outcome is not None:
                events.send("test", name=test.id(), outcome=outcome, seconds=time.perf_counter() - begins.get(test.id(), time.perf_counter()))
            return original(self, test, *rest)
        setattr(result, name, added)

    start = result.startTest

    def started(self, test):
        failures.begin_test()
        begins[test.id()] = time.perf_counter()
        return start(self, test)
    result.startTest = started
    watch("addSuccess", "passed", None)
    watch("addSkip", "skipped", None)
    watch("addFailure", "failed", 0)
    watch("addError", "failed", 0)
    watch("addSubTest", None, 1)
