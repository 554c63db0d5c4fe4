"""torch's own compiler, which never compiles here and takes as long to import as half of torch: left out until something asks for it."""
import functools
import importlib.abc
import importlib.util
import sys

_PACKAGES = ("torch._dynamo", "torch._inductor")


def leave_out():
    """Before torch is imported. Operators that the compiler must not look into import it to tell it so; it is switched off."""
    sys.meta_path.insert(0, _Marks())


def watch_for_import():
    """Once torch is there and still looks as it is: what imports the compiler later shall find it as if it had come before."""
    if _PACKAGES[0] not in sys.modules:
        sys.meta_path.insert(0, _Late())


class _Marks(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name != "torch._compile":
            return None
        sys.meta_path.remove(self)
        return _after(name, _unmark)


def _unmark(module):
    def unmarked(fn=None, recursive=True):
        return functools.partial(unmarked, recursive=recursive) if fn is None else fn

    if hasattr(module, "_disable_dynamo"):
        module._disable_dynamo = unmarked


class _Late(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name not in _PACKAGES:
            return None
        sys.meta_path.remove(self)
        from . import gpu_look  # which imports torch
        with gpu_look.as_it_was():  # it reads torch.cuda and takes functions by their names
            importlib.import_module(_PACKAGES[0])
        return importlib.util.find_spec(name) if name not in sys.modules else _Loaded.spec(name)


class _Loaded(importlib.abc.Loader):
    """A module that is there already."""

    @classmethod
    def spec(cls, name):
        return importlib.util.spec_from_loader(name, cls(), origin="loaded")

    def create_module(self, spec):
        self._spec = sys.modules[spec.name].__spec__
        return sys.modules[spec.name]

    def exec_module(self, module):
        module.__spec__, module.__loader__ = self._spec, self._spec.loader


def _after(name, then):
    """The module's own spec, with a call once it has run."""
    spec = importlib.util.find_spec(name)
    run = spec.loader.exec_module

    def exec_module(module):
        run(module)
        then(module)

    spec.loader.exec_module = exec_module
    return spec
