"""Loading task and candidate files, and the two forms in which tasks come.

KernelBench: `Model`, `get_inputs()`, `get_init_inputs()` as a list of positional arguments. KernelBook: the class has another name
and `get_init_inputs()` gives `[args, kwargs]`."""
import importlib.util
import linecache
import sys

import torch

from .failure import CandidateError, TaskError


def load(name, path, source):
    """Executes the source as a module of its own. It is a real file, because Triton reads kernels from their file."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(source)
    linecache.cache.pop(path, None)  # an earlier text of the same length and moment would be taken for this one
    if "torch._inductor" in source:
        _provide_grid()
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _provide_grid():
    """Older TorchInductor output (all of KernelBook) imports `grid` from a place where newer versions no longer have it."""
    from torch._inductor.runtime import triton_heuristics
    from triton import cdiv

    def grid(*numels):
        blocks = ("XBLOCK", "YBLOCK", "ZBLOCK")
        return lambda meta: tuple(cdiv(n, meta.get(b, 1)) for n, b in zip(reversed(numels), blocks))
    if not hasattr(triton_heuristics, "grid"):
        triton_heuristics.grid = grid


def entry_point(task, wanted, file):
    """The task's class: the one asked for, `Model`, or the last module class that the file defines."""
    if wanted:
        found = getattr(task, wanted, None)
        if not _is_module_class(found):
            raise TaskError(f"{file}: no module class named {wanted}; name the entry point that the file defines")
        return found
    found = getattr(task, "Model", None)
    if _is_module_class(found):
        return found
    own = [v for v in vars(task).values() if _is_module_class(v) and v.__module__ == task.__name__]
    own.sort(key=lambda v: v.__name__ != "ModelNew")  # a candidate that came with its task is what is left to record
    if not own:
        raise TaskError(f"{file}: defines no class Model(nn.Module); add one, or name the entry point")
    return own[-1]


def candidate_class(candidate, names, file):
    for name in names:
        found = getattr(candidate, name, None)
        if callable(found):
            return found
    raise CandidateError(f"{file}: defines none of {', '.join(names)}")


def _is_module_class(v):
    return isinstance(v, type) and issubclass(v, torch.nn.Module)


def init_arguments(task, file):
    """get_init_inputs() as (args, kwargs), whichever form it has; a task without it takes none."""
    function = getattr(task, "get_init_inputs", None)
    if function is None:
        return [], {}
    given = function()
    if isinstance(given, dict):
        return [], given
    if not isinstance(given, (list, tuple)):
        raise TaskError(f"{file}: get_init_inputs() gave {type(given).__name__}; return a list of arguments, or [args, kwargs]")
    if len(given) == 2 and isinstance(given[0], (list, tuple)) and isinstance(given[1], dict):
        return list(given[0]), given[1]
    return list(given), {}


def inputs(task, file):
    """get_inputs() as (args, kwargs)."""
    function = getattr(task, "get_inputs", None)
    if function is None:
        raise TaskError(f"{file}: defines no get_inputs(); add a function that returns the list of forward's arguments")
    given = function()
    if isinstance(given, dict):
        return [], given
    if isinstance(given, torch.Tensor):
        return [given], {}
    if not isinstance(given, (list, tuple)):
        raise TaskError(f"{file}: get_inputs() gave {type(given).__name__}; return the list of forward's arguments")
    return list(given), {}
