"""A case's launches as a Program in the project's JSON form (docs/program-format.md), with Triton's own specialisation."""
import math
import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import make_backend
from triton.runtime.jit import JITFunction, create_function_from_signature

from . import element_types as types
from .case import Array, HostDescriptor, View

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "src" / "python"))
from recorder import kernel_source  # noqa: E402

TARGET = GPUTarget("cuda", 90, 32)
_STANDARD_OPTIONS = {"num_warps", "num_stages", "num_ctas", "maxnreg"}
_backend = None


def backend():
    global _backend
    _backend = _backend or make_backend(TARGET)
    return _backend


class _Dtype:
    """As much of torch.dtype as Triton looks at."""

    def __init__(self, name):
        self.name, self.itemsize = name, types.stored_as(name).itemsize

    def __str__(self):
        return "torch." + self.name

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return isinstance(other, _Dtype) and other.name == self.name


class StandIn:
    """As much of a tensor as Triton's binder looks at; storages are far apart and aligned."""

    def __init__(self, array, offset=0):
        self.array, self.offset = array, offset
        self.dtype, self.shape = _Dtype(array.dtype), array.shape

    def data_ptr(self):
        return ((self.array.number + 1) << 40) + self.offset * self.dtype.itemsize

    def element_size(self):
        return self.dtype.itemsize

    def dim(self):
        return len(self.shape)

    def stride(self, axis=None):
        strides = contiguous(self.shape)
        return tuple(strides) if axis is None else strides[axis]


def contiguous(shape):
    strides = [1]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * size)
    return strides if shape else []


def stand_in(value):
    if isinstance(value, Array):
        return StandIn(value)
    if isinstance(value, View):
        return StandIn(value.array, value.offset)
    if isinstance(value, HostDescriptor):
        from triton.tools.tensor_descriptor import TensorDescriptor
        base = StandIn(value.array)
        return TensorDescriptor(base, list(base.shape), list(base.stride()), list(value.block))
    if isinstance(value, tuple):
        return tuple(stand_in(v) for v in value)
    return value


class Bound:
    """A launch with names and types for its arguments, as Triton gives them."""

    def __init__(self, launch):
        jit = launch.kernel
        keywords = {k: stand_in(v) for k, v in launch.keywords.items()}
        keywords.setdefault("debug", bool(jit.debug))
        binder = create_function_from_signature(jit.signature, jit.params, backend())
        self.bound, self.specialization, _ = binder(*[stand_in(a) for a in launch.arguments], **keywords)
        self.options, self.signature, self.constants, self.attributes = jit._pack_args(
            backend(), keywords, self.bound, self.specialization, None)
        self.given = keywords

    def passed_functions(self):
        return [v for v in self.bound.values() if isinstance(v, JITFunction)]


class _Writer:
    def __init__(self, plan):
        self.plan = plan
        self.tensors, self.rows, self.kernels, self.numbers, self.files = [], {}, [], {}, []

    def row(self, array, offset=0):
        key = (array.number, offset)
        if key not in self.rows:
            shape = list(array.shape) if offset == 0 else [array.size - offset]
            self.rows[key] = len(self.tensors)
            self.tensors.append([array.number, array.dtype, offset, shape, contiguous(shape)])
        return self.rows[key]

    def file_number(self, path):
        name = "kernels/" + pathlib.Path(path).name
        if name not in self.files:
            self.files.append(name)
        return self.files.index(name)

    def value(self, v):
        if isinstance(v, StandIn):
            return {"tensor": self.row(v.array, v.offset)}
        if isinstance(v, tl.constexpr):
            return self.value(v.value)
        if isinstance(v, tl.dtype):
            return {"symbol": f"tl.{v}"}
        if isinstance(v, JITFunction):
            return {"symbol": v.fn.__name__}
        if hasattr(v, "block_shape"):
            return {"descriptor": {"tensor": self.row(v.base.array), "shape": [int(x) for x in v.shape],
                                   "strides": [int(x) for x in v.strides], "block": [int(x) for x in v.block_shape]}}
        if isinstance(v, (list, tuple)):
            return [self.value(x) for x in v]
        if isinstance(v, float) and not math.isfinite(v):
            return {"float": str(v)}
        assert v is None or isinstance(v, (bool, int, float, str)), f"an argument of type {type(v).__name__}"
        return v

    def kernel(self, jit, passed):
        key = (jit.fn.__name__, jit.src, *[p.fn.__name__ for p in passed])
        if key not in self.numbers:
            self.numbers[key] = len(self.kernels)
            self.kernels.append(kernel_source.capture(jit, self, passed))
        return self.numbers[key]

    def launch(self, launch):
        bound = Bound(launch)
        keep = _STANDARD_OPTIONS | (set(bound.given) & set(bound.options.__dict__))
        options = {k: getattr(bound.options, k, None) for k in sorted(keep)}
        variant = {
            "grid": list(launch.grid),
            "arguments": [self.argument(n, v, *s) for (n, v), s in zip(bound.bound.items(), bound.specialization)],
            "options": {k: self.value(v) for k, v in options.items() if v is not None and (k != "debug" or v)},
        }
        return {"launch": self.kernel(launch.kernel, bound.passed_functions()), "variants": [variant], "at": None}

    def argument(self, name, value, kind, attribute=None):
        record = {"name": name, "type": _type_text(kind), "value": self.value(value)}
        if isinstance(attribute, str) and "D" in attribute:
            record["aligned"] = True
        return record


def _type_text(kind):
    return kind if isinstance(kind, str) else "(" + ",".join(_type_text(k) for k in kind) + ")"


def program_of(plan, subject):
    writer = _Writer(plan)
    for array in plan.arrays:
        writer.row(array)
    steps = [writer.launch(launch) for launch in plan.launches]
    make = [{"op": "aten::empty.memory_format", "args": [list(a.shape)],
             "kwargs": {"dtype": {"dtype": a.dtype}, "device": {"device": "target"}},
             "result": {"tensor": writer.row(a)}, "at": None} for a in plan.arrays]
    leaves = [{"leaf": {"tensor": writer.row(a)}} for a in plan.arrays]
    outputs = [{"leaf": {"tensor": writer.row(e.array)}} for e in plan.expectations]
    return {
        "format": 1, "torch": "", "triton": triton.__version__, "target": "h200", "subject": subject, "files": writer.files,
        "storages": [[a.bytes, "target"] for a in plan.arrays],
        "tensors": writer.tensors, "kernels": writer.kernels, "initialise": [], "state": [],
        "forwards": [{"make_inputs": make, "inputs": {"tuple": leaves}, "steps": steps, "outputs": {"tuple": outputs}}],
    }
