"""Recordings, one after the other: request in, program out. Runs in a confined process that dies afterwards."""
import gc
import importlib
import os
import signal
import sys
import tempfile
import traceback
import warnings

from . import torch_compiler

torch_compiler.leave_out()
import torch
import triton

import channel

from . import composites, expressions, gpu_look, module_runs, modules, parameters, source_check, tape, task_integers, trials, warm, watchman
from .failure import CandidateError, NotRecordable, OverBudget, TaskError
from .launches import LAUNCHES
from .program import Program

TIMED_OUT = 75  # exit code; recorder.cpp knows it
_LIBRARY = []
_exit = os._exit  # a candidate may replace the one in os


def prepare(options):
    """In the zygote: everything that all recordings share, warm."""
    with tempfile.TemporaryDirectory() as tempfile.tempdir:  # torch's inductor makes a cache folder
        for module in options.get("preload", ()):
            importlib.import_module(module)
    tempfile.tempdir = None
    os.environ.pop("TORCHINDUCTOR_CACHE_DIR", None)
    torch.set_num_threads(1)
    torch_compiler.watch_for_import()
    gpu_look.install()
    LAUNCHES.install()
    parameters.install()
    _LIBRARY.append(composites.install())
    warnings.simplefilter("ignore")  # about CUDA, which this process does not have
    if options.get("warm", True):
        warm.up()


def handle(_channel_fd):
    """In the confined child: serves requests until the other side closes the channel."""
    gc.disable()  # the process is short-lived and its memory is limited
    scratch = os.getcwd()
    used = False
    while True:
        try:
            request = channel.receive()
        except EOFError:
            return
        if "integers" in request:
            channel.send(task_integers.find(request["integers"]))
            continue
        limit = request.get("limit_ms", 0) / 1000
        if limit:
            signal.signal(signal.SIGALRM, lambda *_: _exit(TIMED_OUT))
            signal.setitimer(signal.ITIMER_REAL, limit)
        if used:
            _forget()
        used = True
        reply = _kind_of(request)(request, scratch).reply()
        _flush()
        channel.send(reply)
        if limit:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _kind_of(request):
    return _Trying if request.get("try") else _Tracing if request.get("trace") else _Surveying if request.get("modules") else _Recording


_WATCHED = set()


def _watch(file):
    """Once a process: all of its recordings are of one candidate."""
    if file in _WATCHED:
        return
    _WATCHED.add(file)
    send, leave, name = channel.send, _exit, os.path.basename(file)

    def tell(what, frame):
        send({"kind": "intrusion", "phase": "", "exception": "", "message": f"its code reaches for what records it ({what})", "file": name,
              "line": frame.f_lineno if frame.f_code.co_filename == file else 0, "code": "", "calls": 0})
        leave(0)

    watchman.watch([file], tell)


def _flush():
    """What the candidate printed belongs to its log, and the process may be ended as soon as it has answered."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # the candidate replaced or closed it
            pass


def _forget():
    """What an earlier recording in this process left in torch and in our own modules; the candidate's own doings stay."""
    for name in ("task", "candidate"):
        sys.modules.pop(name, None)
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)
    tape.inside = False


class _Recording:
    def __init__(self, request, scratch):
        self.request = request
        self.phase = "start"
        self.paths = {role: os.path.join(scratch, request[role]["file"]) for role in ("task", "candidate") if request.get(role)}
        self.program = Program(self.paths.values())
        # the subject is known later; questions of the task come before
        self.program.header = {"torch": torch.__version__, "triton": triton.__version__, "target": request["target"]["name"], "subject": ""}
        self.program.max_steps = request.get("max_steps", self.program.max_steps)
        self.program.strides = {(o["section"], o["step"]): o["strides"] for o in request.get("strides", ())}
        self.tape = tape.Tape(self.program, self._ask)
        self.dtype = getattr(torch, request["precision"]) if request.get("precision") else None

    def reply(self):
        try:
            if self.request.get("check_source"):
                report = source_check.check(self.request["candidate"]["source"], self.request["task"]["source"],
                                            self.request.get("entry_point"))
                channel.send({"kind": "source", "source": report})
                if not report["parses"]:
                    return {"kind": "raised", "phase": "load candidate", "exception": "SyntaxError", "message": report["error"],
                            "file": self.request["candidate"]["file"], "line": report["line"], "code": report["code"]}
            self._record()
            return self._recorded()
        except NotRecordable as error:
            return self._failed("not_recordable", error)
        except OverBudget as error:
            return self._failed("crashed", error)
        except TaskError as error:
            return self._failed("bad_task", error)
        except CandidateError as error:
            return self._failed("bad_candidate", error)
        except BaseException as error:  # SystemExit and the like are the candidate's doing too
            return self._failed("raised", error)

    def _recorded(self):
        return {"kind": "program", "program": self.program.to_json()}

    def _made(self, module):
        """The constructor is done."""

    def _load_task(self):
        return modules.load("task", self.paths["task"], self.request["task"]["source"])

    def _record(self):
        gpu_look.program, gpu_look.current_tape = self.program, self.tape
        LAUNCHES.begin(self.program, tunes=self.request.get("forwards", 1) > 1)
        gpu_look.set_target(self.request["target"])
        with self.tape, torch.no_grad():
            self._run()

    def _run(self):
        program, request = self.program, self.request
        self.phase = "load task"
        task_file = request["task"]["file"]
        # the task at another size, for the inputs of the first call; the task itself takes its place, so that nothing tells of it
        first = modules.load("task", self.paths["task"], request["first_called"]) if request.get("first_called") else None
        task = self._load_task()
        reference = modules.entry_point(task, request.get("entry_point"), task_file)
        self.phase = "get_init_inputs"
        init_args, init_kwargs = modules.init_arguments(task, task_file)
        # all inputs exist before the candidate's code does
        self.phase = "get_inputs"
        forwards = []
        for i in range(request.get("forwards", 1)):
            forward = {"make_inputs": [], "inputs": {"leaf": None}, "steps": [], "outputs": {"leaf": None}}
            program.begin(f"inputs {i}", forward["make_inputs"], making_inputs=True)
            program.forwards.append(forward)  # a question about inputs comes with the steps that make them
            args, kwargs = modules.inputs(first if first and i == 0 else task, task_file)
            args, kwargs = _on_target(args, self.dtype), _on_target(kwargs, self.dtype)
            forward["inputs"] = program.structure((*args, *kwargs.values()))
            forwards.append((args, kwargs, forward))
        program.forwards.clear()
        program.begin("initialise", program.initialise)
        made = reference
        if request.get("candidate"):
            self.phase = "load candidate"
            if request.get("guarded", True):
                _watch(self.paths["candidate"])
            candidate = modules.load("candidate", self.paths["candidate"], request["candidate"]["source"])
            names = list(dict.fromkeys(["ModelNew", reference.__name__ + "New", reference.__name__]))
            made = modules.candidate_class(candidate, names, request["candidate"]["file"])
        program.header["subject"] = made.__name__
        self.phase = "initialise"
        module = made(*init_args, **init_kwargs)
        if isinstance(module, torch.nn.Module):
            module = gpu_look.move(module)
            if self.dtype is not None:
                module = module.to(self.dtype)
            program.parameters |= {program.storage(p).number for p in module.parameters()}
            program.state = [{"name": n, **program.value(t), "buffer": buffer} for buffer, tensors in
                             ((False, module.named_parameters()), (True, module.named_buffers())) for n, t in tensors]
        self._made(module)
        self.phase = "forward"
        results = []  # a caller that keeps them sees as many objects as there were calls
        for i, (args, kwargs, forward) in enumerate(forwards):
            program.begin(f"forward {i}", forward["steps"])
            program.forwards.append(forward)
            results.append(module(*args, **kwargs))
            forward["outputs"] = program.structure(results[-1])

    def _ask(self, kind, tensors, op="", guess=None):
        """A question to the parent, with the program so far; one that cannot execute it lets us assume."""
        at = self.program.place()
        question = {"question": kind, "about": [self.program.value(t)["tensor"] for t in tensors], "op": op,
                    "answer": None, "assumed": True, "at": at}
        channel.send({"kind": "question", "question": question, "program": self.program.to_json()})
        answer = channel.receive()
        if "answer" in answer:
            value, question["assumed"] = _plain(answer["answer"]), False
        else:
            value = _neutral(kind, tensors) if guess is None else guess
        self.program.add({**question, "answer": self.program.value(value)}, at)
        return value

    def _failed(self, kind, error):
        frames = traceback.extract_tb(error.__traceback__)
        own = [f for f in frames if f.filename in self.paths.values()]
        place = own[-1] if own else None
        line, file = (place.lineno, place.filename) if place else (None, None)
        if isinstance(error, SyntaxError) and error.filename in self.paths.values():
            line, file = error.lineno, error.filename
        return {"kind": kind, "phase": self.phase, "exception": type(error).__name__, "message": _said(error),
                "file": os.path.basename(file) if file else "", "line": line or 0,
                "code": (place.line or "") if place else "", "calls": len(self.program.order)}


def _said(error):
    if isinstance(error, MemoryError) and not str(error):
        return "there is no memory left of what a candidate may take"
    return str(error)[:4000]


class _Tracing(_Recording):
    """The same run, of which the values of expressions are told instead of the program."""

    def __init__(self, request, scratch):
        super().__init__(request, scratch)
        self.notes = expressions.Notes()

    def _load_task(self):
        return expressions.load("task", self.paths["task"], self.request["task"]["source"], self.notes)

    def _made(self, _module):
        self.notes.made = True

    def _recorded(self):
        return {"kind": "trace", "values": self.notes.to_json()}

    def _ask(self, kind, tensors, op="", guess=None):
        return _neutral(kind, tensors) if guess is None else guess


class _Surveying(_Recording):
    """A recording that tells beside the program which submodule made which of its calls."""

    def _load_task(self):
        task = super()._load_task()
        self.runs = module_runs.ModuleRuns(self.program)
        self.runs.watch_classes(task)
        return task

    def _made(self, module):
        if isinstance(module, torch.nn.Module):
            self.runs.watch(module)

    def _recorded(self):
        return {**super()._recorded(), "modules": self.runs.to_json()}


class _Trying(_Recording):
    """Not one run but many, until one succeeds: what was given then is told."""

    def _record(self):
        self.phase = "load task"
        gpu_look.set_target(self.request["target"])
        self._begin()
        with self.tape, torch.no_grad():
            task = self._load_task()
            self.phase = "get_inputs"
            known = trials.known_inputs(task)
        self.phase = "forward"
        self.found = trials.find(task, self.request["entry_point"], known, self._attempt, self.request["try"] == "larger")

    def _begin(self):
        self.program = Program(self.paths.values())
        self.tape = tape.Tape(self.program, self._ask)
        gpu_look.program, gpu_look.current_tape = self.program, self.tape
        LAUNCHES.begin(self.program)

    def _attempt(self, make, give, where):
        """Whether forward gives tensors of numbers; `where` tells how far it came."""
        self._begin()
        with self.tape, torch.no_grad():
            inputs = _on_target(give(), None)
            module = gpu_look.move(make())
            where[0] = "forward"
            self.program.begin("forward 0", [])
            given = module(*inputs.values())
        given = given.values() if isinstance(given, dict) else given if isinstance(given, (list, tuple)) else [given]
        return any(isinstance(g, torch.Tensor) and g.is_floating_point() and g.numel() > 0 for g in given)

    def _recorded(self):
        return self.found

    def _ask(self, kind, tensors, op="", guess=None):
        return _neutral(kind, tensors) if guess is None else guess


def _plain(answer):
    """The answer's numbers as Python has them."""
    if isinstance(answer, list):
        return [_plain(a) for a in answer]
    return float(answer["float"]) if isinstance(answer, dict) else answer


def _neutral(kind, tensors):
    """What is assumed when nobody executes the program: values that choose the ordinary path."""
    tensor = tensors[0]
    if kind == "equal":
        return False
    if kind == "shape":
        return [tensor.numel()]
    one = False if tensor.dtype == torch.bool else 1.0 if tensor.dtype.is_floating_point else 1
    return one if kind == "item" else [one] * tensor.numel()


def _on_target(v, dtype):
    """The inputs where and as forward gets them: on the target, floating ones of the type asked for."""
    if isinstance(v, torch.Tensor):
        return v.to(gpu_look.CUDA, dtype) if dtype is not None and v.is_floating_point() else v.to(gpu_look.CUDA)
    if isinstance(v, tuple) and hasattr(v, "_fields"):
        return type(v)(*[_on_target(x, dtype) for x in v])
    if isinstance(v, (list, tuple)):
        return type(v)(_on_target(x, dtype) for x in v)
    if isinstance(v, dict):
        return {k: _on_target(x, dtype) for k, x in v.items()}
    return v
