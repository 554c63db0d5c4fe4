"""The process: warm once, then a fork for each script."""
import gc
import os
import signal
import sys

from . import events, places


def main(options):
    os.environ.pop("TRITON_INTERPRET", None)  # what is checked is what a GPU would be given
    import torch
    import triton
    from compiler import warm
    from gpu import looks

    from . import benchmarks, cuda, launches, machine, operators, profiler, script, tensors

    for library in (torch, triton):
        places.add_library(library)
    looks.look_torch_cuda()
    looks.look_autocast()
    looks.look_triton()
    looks.set_target(options["target"])
    cuda.install()
    tensors.install()
    launches.install()
    operators.install()
    benchmarks.install()
    profiler.install()
    benchmarks.all_configs, benchmarks.all_sizes = options["all_configs"], options["all_sizes"]
    torch.manual_seed(0)
    machine.machine = machine.Machine(options["library"], options["machine"])
    if len(options["scripts"]) > 1:
        warm.up()  # what all scripts need is made once
    _step_aside()
    for name in options["scripts"]:
        sys.stdout.flush()
        sys.stderr.flush()
        events.send("begin", script=name)
        child = os.fork()
        if child == 0:
            try:
                if options["quiet"]:
                    _silence()
                script.run(name, options["arguments"])
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)
        _wait(child, name, options["script_seconds"])


def _wait(child, script, seconds):
    late = []

    def end(*_):
        late.append(True)
        os.kill(child, signal.SIGKILL)
    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)  # 0: never
    _, status = os.waitpid(child, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    if late:
        events.send("ended", seconds=seconds)
    elif os.WIFSIGNALED(status):
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
