"""The process: warm once, then a fork for each script."""
import gc
import os
import runpy
import sys
import time
import traceback

from . import events, places


def main(options):
    import torch
    import triton
    from gpu import looks

    from . import benchmarks, launches, machine, tensors, watch

    for library in (torch, triton):
        places.add_library(library)
    looks.look_torch_cuda()
    looks.look_autocast()
    looks.look_triton()
    looks.set_target(options["target"])
    tensors.install()
    launches.install()
    benchmarks.install()
    benchmarks.all_configs, benchmarks.all_sizes = options["all_configs"], options["all_sizes"]
    torch.manual_seed(0)
    machine.machine = machine.Machine(options["library"], options["machine"])
    _step_aside()
    for script in options["scripts"]:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                if options["quiet"]:
                    _silence()
                code = _run(script, options["arguments"], watch.Watch)
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            events.send("died", script=script, signal=os.WTERMSIG(status))


def _step_aside():
    """Our modules have plain names: the script's own may have the same."""
    ours = [name for name, module in sys.modules.items() if (getattr(getattr(module, "__spec__", None), "origin", None) or "").startswith("tritonrl:")]
    for name in ours:
        del sys.modules[name]
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "__main__"]
    gc.enable()


def _silence():
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)


def _run(script, arguments, watch):
    events.send("begin", script=script)
    begin = time.perf_counter()
    problem = None
    sys.argv = [script, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    try:
        with watch():
            runpy.run_path(script, run_name="__main__")
    except SystemExit as stop:
        if stop.code not in (None, 0):
            problem = {"exception": "SystemExit", "message": f"the script exits with {stop.code!r}", "file": script, "line": 0}
    except BaseException as error:
        traceback.print_exception(error)
        file, line = places.of_traceback(error.__traceback__)
        problem = {"exception": type(error).__name__, "message": str(error), "file": file, "line": line}
    if problem is not None:
        events.send("raised", **problem)
    events.send("end", script=script, seconds=time.perf_counter() - begin)
    return 0
