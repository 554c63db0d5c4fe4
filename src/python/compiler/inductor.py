"""TorchInductor's helpers for kernels without the seconds that `import torch` takes.

Its runtime files need next to nothing of torch (Inductor's own compile workers give them a mock), so they are loaded under the
name they expect beside an empty `torch`. Where that fails the real torch is imported.
"""
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import types

_STUBS = ("torch", "torch._inductor", "torch._inductor.runtime")


def provide(name):
    """Makes `import name` work, for a module below torch._inductor.runtime."""
    if "torch" in sys.modules or name in sys.modules:
        return
    found = importlib.util.find_spec("torch")
    if found is None or not found.submodule_search_locations:
        return  # the import says so
    try:
        folder = found.submodule_search_locations[0]
        for stub in _STUBS:
            sys.modules[stub] = _package(stub, folder)
        importlib.import_module(name)
    except Exception:
        for loaded in [m for m in sys.modules if m == "torch" or m.startswith("torch.")]:
            del sys.modules[loaded]


def _package(name, folder):
    path = [os.path.join(folder, *name.split(".")[1:])] if name == _STUBS[-1] else []
    package = types.ModuleType(name)
    package.__path__ = path
    package.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
    parent, _, own = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], own, package)
    return package
