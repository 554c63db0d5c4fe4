"""The registry of cases: a kernel (or several), the arrays it is launched on, and what must come out.

    @case("pointwise/vector_add")
    def vector_add_case(make):
        x, y, out = make.normal(1000), make.normal(1000), make.output(1000)
        make.launch(vector_add, (4,), x, y, out, 1000, BLOCK=256)
        make.expect(out, x.values + y.values)

The function runs in a process of any kind: with Triton as compiler, as interpreter, on a GPU. `make` only notes what is asked for.
"""
import zlib
from dataclasses import dataclass, field

import numpy as np

from . import element_types as types

CASES = {}  # "family/name" -> Case


@dataclass
class Case:
    name: str
    build: object
    no_interpreter: str = ""   # why Triton's interpreter cannot be asked
    no_gpu: str = ""
    seconds: float = 60

    @property
    def family(self):
        return self.name.split("/")[0]

    def made(self):
        plan = Plan(self.name)
        self.build(plan)
        return plan


def case(name, **settings):
    def register(build):
        assert name not in CASES, f"two cases are called {name}"
        CASES[name] = Case(name, build, **settings)
        return build
    return register


class Array:
    """Memory of its own, with a shape for references; kernels see the address of its first element."""

    def __init__(self, number, dtype, shape, raw, pointers=()):
        self.number, self.dtype, self.shape = number, dtype, shape
        self.raw = raw              # None: nobody wrote it
        self.pointers = pointers    # elements are the addresses of these

    @property
    def values(self):
        return types.decode(self.raw, self.dtype)

    @property
    def size(self):
        return int(np.prod(self.shape))

    @property
    def bytes(self):
        return self.size * types.stored_as(self.dtype).itemsize

    def at(self, offset):
        return View(self, offset)


@dataclass
class View:
    """An array from an element on, as `x[offset:]` would be passed."""
    array: Array
    offset: int = 0


@dataclass
class HostDescriptor:
    """A tensor descriptor made by the host."""
    array: Array
    block: list


@dataclass
class Launch:
    kernel: object
    grid: tuple
    arguments: list
    keywords: dict = field(default_factory=dict)


@dataclass
class Expectation:
    array: Array
    values: np.ndarray
    tolerance: str
    limits: tuple              # rtol, atol
    interpreter: tuple         # the same against the interpreter's result
    gpu: tuple                 # and against the GPU's


class Plan:
    def __init__(self, name):
        self.random = np.random.default_rng(zlib.crc32(name.encode()))
        self.arrays, self.launches, self.expectations = [], [], []

    # -- memory

    def array(self, values, dtype=None):
        """With the given contents; kernels may read and write it."""
        values = np.asarray(values)
        dtype = dtype or str(values.dtype)
        return self._add(dtype, values.shape, np.ascontiguousarray(types.encode(values, dtype)))

    def normal(self, *shape, dtype="float32", scale=1.0, shift=0.0):
        return self.array(self.random.standard_normal(shape) * scale + shift, dtype)

    def uniform(self, *shape, low=0.0, high=1.0, dtype="float32"):
        return self.array(self.random.uniform(low, high, shape), dtype)

    def integers(self, *shape, low=0, high=100, dtype="int32"):
        return self.array(self.random.integers(low, high, shape, dtype=np.uint64 if dtype == "uint64" else np.int64), dtype)

    def bits(self, *shape, dtype="int32"):
        """Every bit pattern, for integers."""
        kind = types.stored_as(dtype)
        return self.array(self.random.integers(0, 256, (*shape, kind.itemsize), dtype=np.uint8).view(kind)[..., 0], dtype)

    def booleans(self, *shape, share=0.5):
        return self.array(self.random.uniform(size=shape) < share, "bool")

    def zeros(self, *shape, dtype="float32"):
        return self.array(np.zeros(shape), dtype)

    def full(self, *shape, value, dtype="float32"):
        return self.array(np.full(shape, value), dtype)

    def output(self, *shape, dtype="float32"):
        """As torch.empty: nothing in it may be read before it is written."""
        return self._add(dtype, shape, None)

    def pointers(self, *targets):
        """int64 addresses of arrays or views."""
        views = [View(t) if isinstance(t, Array) else t for t in targets]
        return self._add("int64", (len(views),), np.zeros(len(views), np.int64), views)

    def _add(self, dtype, shape, raw, pointers=()):
        made = Array(len(self.arrays), dtype, tuple(int(s) for s in shape), raw, pointers)
        self.arrays.append(made)
        return made

    # -- what runs, and what comes out

    def launch(self, kernel, grid, *arguments, **keywords):
        grid = grid if isinstance(grid, tuple) else (grid,)
        self.launches.append(Launch(kernel, tuple(int(g) for g in grid) + (1,) * (3 - len(grid)), list(arguments), keywords))

    def expect(self, array, values, tolerance="pointwise", rtol=None, atol=None, interpreter=None, gpu=None):
        """`tolerance` names a row of element_types.TOLERANCES; rtol and atol override it. `interpreter` and `gpu`: the name
        of another row, where those differ from the reference in another way than the machine may."""
        values = np.broadcast_to(np.asarray(values), array.shape)
        standard = types.tolerance(tolerance, array.dtype)
        limits = (standard[0] if rtol is None else rtol, standard[1] if atol is None else atol)

        def other(name):
            return limits if name is None else types.tolerance(name, array.dtype)
        self.expectations.append(Expectation(array, values, tolerance, limits, other(interpreter), other(gpu)))
