"""Triton's launches, executed by the machine: kernels compiled as Triton compiles them, down to its IR."""
import sys
import types

import torch
import triton
from compiler import stages
from triton._C.libtriton import nvidia
from triton.backends.compiler import Language
from triton.compiler.errors import CompilationError
from triton.runtime import driver
from triton.runtime.jit import _triton_jit_function_registry

from . import events, machine, memory, places

seconds = 0.0  # modelled, of all launches so far
launches = 0
unexecuted = 0  # beside them: what they would have written nobody knows

_ASSUMED_REGISTERS = 64  # what a kernel that is asked about its own compilation tells
_ASSUMED_SHARED = 1024
_DESCRIPTORS_SINCE = 90  # compute capability; kernels for older ones take descriptors apart
_USUAL_FIGURES = {"num_warps": 4, "num_ctas": 1, "num_stages": 3}


def _event_of(error, fn):
    """The innermost place in the user's own functions, and the reason: told if nobody catches the error."""
    place, reason = (fn.fn.__code__.co_filename, fn.fn.__code__.co_firstlineno), error
    while isinstance(reason, CompilationError):
        place = _place(reason) or place
        inner = reason.__cause__
        if inner is None:
            break
        reason = inner
    message = getattr(reason, "error_message", None) or str(reason)
    return {"kernel": fn.fn.__name__, "file": place[0], "line": place[1], "message": message.strip()[:4000]}


def _place(error):
    for fn in list(_triton_jit_function_registry.values()):
        if fn.src == error.src and not places.is_library(fn.fn.__code__.co_filename):
            head = next(i for i, line in enumerate(fn.raw_src) if line.lstrip().startswith("def "))
            line = getattr(error.node, "lineno", 1)  # of the caller, where Triton tells of a call
            return (fn.fn.__code__.co_filename, fn.starting_line_number + head + line - 1) if head + line <= len(fn.raw_src) else None
    return None


class _Stages(dict):
    """Kernel.asm. Few scripts look further than the first: the others are made when one is asked for."""

    def __init__(self, *given):
        super().__init__()
        self._given = given

    def __missing__(self, stage):
        self.update({name: text for name, text in stages.all_stages(*self._given).items() if name not in self})
        if stage not in self:
            raise KeyError(stage)
        return self[stage]


class Kernel:
    """Stands for what Triton's compiler returns; JITFunction keeps and runs it."""

    def __init__(self, source, target, options):
        self.src, self.function, self.packed_metadata, self.asm = source, 1, None, {}
        code = source.fn.fn.__code__
        self.name, self.file, self.line = source.fn.fn.__name__, code.co_filename, code.co_firstlineno
        if source.language == Language.TRITON:
            self._make(source, target, options)
        else:
            self.figures = {name: options.get(name, usual) for name, usual in _USUAL_FIGURES.items()}
            self.number, self.problem = -1, "it is written in Gluon; kernels of triton.language are executed"
        self.n_regs, self.n_spills, self.n_max_threads = _ASSUMED_REGISTERS, 0, 1024
        self.whole_descriptors = target.arch >= _DESCRIPTORS_SINCE
        self.metadata = types.SimpleNamespace(shared=_ASSUMED_SHARED, name=self.name, target=target, **self.figures)

    def _make(self, source, target, options):
        try:
            made = stages.compile_source(source, target, options, False)
        except CompilationError as error:
            error.tritonrl_event = _event_of(error, source.fn)
            raise
        self.asm = _Stages(source, target, options)
        self.asm["ttir"] = made["ir"]
        self.figures = made["figures"]
        made = machine.machine.make(made["ir"], self.file)
        self.number, self.problem = made.get("kernel", -1), made.get("error", "")

    def _init_handles(self):
        pass

    def result(self):
        return self

    def launch_metadata(self, grid, stream, *args):
        return None

    def __getitem__(self, grid):
        return lambda *args, stream=None: self.run(*grid, *[1] * (3 - len(grid)), stream, None, None, None, None, None, *args)

    def run(self, grid_0, grid_1, grid_2, stream, function, packed_metadata, launch_metadata, enter_hook, exit_hook, *args):
        global seconds, launches, unexecuted
        grid = [int(grid_0), int(grid_1), int(grid_2)]
        if 0 in grid:
            return
        given = []
        names = {}
        for (name, kind), value in zip(self.src.signature.items(), args):
            _flatten(name, kind, value, self.whole_descriptors, given, names)
        file, line = places.running()
        place = {"kernel": self.name, "file": self.file, "line": self.line, "grid": grid, "launch_file": file, "launch_line": line,
                 **self.figures}
        if self.problem:
            outcome = {"problem": self.problem}
        else:
            memory.show_undefined()
            for region, name in reversed(names.values()):
                machine.machine.name(region.number, name)
            outcome = machine.machine.launch(self.number, grid, given, self.figures)
        unchecked = _is_unchecked(outcome)
        unexecuted += unchecked
        for region, _ in names.values():
            region.launched = [self.name, file, line]
            if unchecked:
                region.undefined = None  # nobody knows what it would have written
        sys.stdout.write(outcome.get("printed", ""))
        seconds += outcome.get("time", {}).get("seconds", 0)
        launches += not unchecked
        events.send("launch", **place, outcome=outcome)


def _is_unchecked(outcome):
    return "findings" not in outcome or any(f["kind"] in ("not_executable", "timeout", "memory") for f in outcome["findings"])


def _flatten(name, kind, value, whole_descriptors, out, names):
    """What the compiled kernel takes of an argument: parameters_of in python/kernel_arguments.h says it for recorded launches."""
    if kind == "constexpr" or value is None:
        return
    if isinstance(kind, tuple):
        for i, (inner, item) in enumerate(zip(kind, value)):
            _flatten(f"{name}[{i}]", inner, item, whole_descriptors, out, names)
    elif hasattr(value, "block_shape") and hasattr(value, "base"):
        _flatten_descriptor(name, value, whole_descriptors, out, names)
    elif kind.startswith("*"):
        out.append({"pointer": _pointer(name, value, names)})
    elif kind.startswith(("fp", "bf")):
        out.append({"float": float(value).hex()})
    else:
        out.append(int(value))


def _flatten_descriptor(name, value, whole, out, names):
    base, shape, strides = _pointer(name, value.base, names), [int(x) for x in value.shape], [int(x) for x in value.strides]
    nan = getattr(value, "padding", "zero") == "nan"
    rounding = getattr(value, "round_f32_to_tf32", None)  # Triton 3.6 has none, and no parameter for it
    if whole:
        out.append({"descriptor": {"base": base, "shape": shape, "strides": strides, "nan_outside": nan,
                                   "rounds_to_tf32": bool(rounding)}})
    else:
        out += [{"pointer": base}, *shape, *strides, int(nan)] + ([] if rounding is None else [int(rounding)])
    out += shape + strides


def _pointer(name, value, names):
    if isinstance(value, int):
        return value
    tensor = value
    while not isinstance(tensor, torch.Tensor) and isinstance(getattr(tensor, "base", None), (torch.Tensor, object)):
        inner = getattr(tensor, "base", None)
        if inner is None:
            return int(value.data_ptr())
        tensor = inner
    region = memory.find(tensor)
    if region is None or not region.gpu:
        raise ValueError(f"Pointer argument {name} cannot be accessed from Triton (cpu tensor?)")
    pointer = tensor.data_ptr()
    if tensor.numel() > 0 or region.number >= 0:
        memory.address(tensor, region)
        names.setdefault(region.key, (region, name))
    return pointer


def _compile(source, target=None, options=None, **_):
    return Kernel(source, target or driver.active.get_current_target(), dict(options or {}))


class _Blas:
    """triton's door to cuBLAS, which a machine without a GPU need not have."""

    def __init__(self, workspace):
        pass

    def matmul(self, a, b, c):
        c.copy_((a.float() @ b.float().T).to(c.dtype))

    def gemm(self, a, b, c, d, alpha, beta):
        d.copy_((alpha * (a.float() @ b.float().T) + beta * c.float()).to(d.dtype))


def install():
    triton.compiler.compile = _compile      # what JITFunction calls
    knobs = triton.knobs.runtime
    knobs.interpret = False  # also where the script asks for Triton's interpreter
    debug = type(knobs).debug = triton.knobs.env_bool("TRITON_DEBUG")  # Triton reads it as it is imported: scripts set it before that
    debug.__set_name__(type(knobs), "debug")
    nvidia.cublas.CublasLt = _Blas
