"""Requests of src/python/live.cpp. Runs in a confined process that dies afterwards: one for the candidate, which knows no answers,
and one for the reference, which never sees a candidate."""
import fcntl
import os
import sys
import traceback
import types

import torch
import triton  # noqa: F401  warm for the candidate

import channel
from recorder import modules

from . import compare, outputs, timing
from .run import Run

_KEPT = []  # what is hidden must not die


def prepare(_options):
    """In the zygote: the imports, and no context of CUDA, which a fork would break."""
    torch.set_num_threads(1)
    if torch.cuda.is_initialized() or len(os.listdir("/proc/self/task")) != 1:
        raise RuntimeError("importing torch started threads or CUDA: this process cannot be forked safely")


def handle(_channel_fd):
    """In the confined child: serves requests until the other side closes the channel."""
    state = {}
    while True:
        try:
            request, descriptors = channel.receive_with_descriptors()
        except EOFError:
            return
        try:
            if not state:
                state["run"] = Run(request)
                _make_ready(request["device"])
                state["run"].load_task()
            reply = _DO[request["do"]](request, descriptors, state)
        except BaseException as error:  # SystemExit and the like are the file's doing too
            reply = _failed(error, state["run"])
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:  # the candidate replaced or closed it
                pass
        channel.send(reply)


def _make_ready(device):
    scratch = os.getcwd()
    os.environ.update(TRITON_CACHE_DIR=os.path.join(scratch, "triton"), TORCHINDUCTOR_CACHE_DIR=os.path.join(scratch, "inductor"),
                      TORCHINDUCTOR_COMPILE_THREADS="1")  # no pool of processes
    if device == "cpu":
        return
    torch.cuda.init()
    with open("/proc/self/maps", encoding="utf-8") as maps:
        found = {os.path.dirname(line.split(maxsplit=5)[-1].strip()) for line in maps if "/libcuda.so" in line}
    for folder in found:  # where Triton would ask ldconfig, which containers often have no good list for
        if os.path.exists(os.path.join(folder, "libcuda.so.1")):
            os.environ["TRITON_LIBCUDA_PATH"] = folder


def _candidate(request, descriptors, state):
    run = state["run"]
    inputs, init_arguments = run.inputs(), run.init_arguments()
    names = list(dict.fromkeys(["ModelNew", run.reference.__name__ + "New", run.reference.__name__]))
    memory = outputs.views(descriptors[0], request["outputs"], writable=True)
    os.close(descriptors[0])
    _hide()
    run.phase = "load candidate"
    file = request["candidate"]["file"]
    made = modules.candidate_class(run.load("candidate", request["candidate"]), names, file)
    module = run.make(made, init_arguments)
    given = outputs.tensors_of(run.forward(module, inputs))
    other = outputs.difference(given, request["outputs"], "it gives") or outputs.other_type(given, request["outputs"])
    if other:
        return {"kind": "other", "message": other}
    for place, tensor in zip(memory, given):
        place.copy_(tensor.detach().contiguous().flatten())
    state["call"] = lambda: _call(module, inputs)
    return {"kind": "ran"}


def _time(request, _descriptors, state):
    """Of what ran last, as KernelBench does."""
    run = state["run"]
    run.phase = "timed forward"
    times = timing.wall_times(state["call"], run.device, request["warmup"], request["trials"])
    return {"kind": "timed", "us": sum(times) / len(times)}


def _reference(request, descriptors, state):
    run = state["run"]
    inputs = run.inputs()
    module = run.make(run.reference, run.init_arguments())
    expected = outputs.tensors_of(run.forward(module, inputs))
    state["call"] = lambda: _call(module, inputs)
    if not descriptors:  # there is nothing to compare; it runs
        return {"kind": "ran"}
    places = request["outputs"]
    other = outputs.difference(expected, places, "the reference gives")
    if other:
        return {"kind": "other", "message": other}
    got = outputs.views(descriptors[0], places, writable=False)
    found = [compare.compare(e, g, p["atol"], p["rtol"]) for e, g, p in zip(expected, got, places)]
    if any(one["wrong"] for one in found):
        found = _look_closer(run, expected, got, places, found)
    for one in found:
        one["max_error"] = compare.said(one["max_error"])
    return {"kind": "compared", "outputs": found}


def _look_closer(run, expected, got, places, found):
    """Against float64, where the reference can be computed so: its own rounding is no fault of the candidate."""
    try:
        truth = outputs.tensors_of(run.truth())
        if [t.shape for t in truth] != [e.shape for e in expected]:
            return found
        return [compare.compare(*one[:2], one[2]["atol"], one[2]["rtol"], one[3]) for one in zip(expected, got, places, truth)]
    except Exception:  # an operator that has no such type, or no memory
        return found


def _load(_request, _descriptors, _state):
    """The device was not touched yet."""
    return {"kind": "loaded"}


def _make(_request, _descriptors, state):
    run = state["run"]
    state["inputs"] = run.inputs()
    state["module"] = run.make(run.reference, run.init_arguments())
    run.wait()
    return {"kind": "made"}


def _compiled(request, _descriptors, state):
    """torch.compile of what was made. The device is used only once the other side has said so."""
    run, inputs = state["run"], state["inputs"]
    # its caches are this process's alone, and a sandbox without namespaces of its own allows no locks
    fcntl.flock = lambda *_: None
    run.phase = "torch.compile"
    module = torch.compile(state["module"])
    turn = _Turn()
    _before_its_kernels(turn.take)
    _call(module, inputs)
    turn.take()
    times = timing.device_times(lambda: _call(module, inputs), run.device, request["warmup"], request["trials"])
    return {"kind": "timed", "trials": times}


class _Turn:
    """Of this process, to have the device alone: until it ends."""
    taken = False

    def take(self):
        if not self.taken:
            self.taken = True
            channel.send({"kind": "alone"})
            channel.receive()


def _before_its_kernels(first):
    """`first` is called before a compiled graph runs for the first time; at once where torch keeps its graphs otherwise."""
    try:
        from torch._inductor.output_code import CompiledFxGraph
        run = CompiledFxGraph.__call__
    except (ImportError, AttributeError):
        return first()

    def call(graph, inputs):
        first()
        CompiledFxGraph.__call__ = run
        return run(graph, inputs)

    CompiledFxGraph.__call__ = call


_DO = {"candidate": _candidate, "time": _time, "reference": _reference, "load": _load, "make": _make, "compiled": _compiled}


def _call(module, inputs):
    args, kwargs = inputs
    with torch.no_grad():
        return module(*args, **kwargs)


def _hide():
    """Nothing of ours that a file could look for in order to behave well only where it is watched."""
    ours = [name for name, module in sys.modules.items()
            if (getattr(getattr(module, "__spec__", None), "origin", None) or "").startswith("tritonrl:")]
    _KEPT.extend([sys.modules.pop(name) for name in ours])
    _KEPT.append(sys.modules["__main__"])
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "__main__"]


def _failed(error, run):
    own = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(os.getcwd())]
    return {"kind": "raised", "phase": run.phase, "exception": type(error).__name__, "message": str(error)[:2000],
            "file": os.path.basename(own[-1].filename) if own else "", "line": (own[-1].lineno or 0) if own else 0}
