"""Which module is to be optimised, as `tritonrl optimize` is told: a class of a file, or a file that is written for it."""

import ast
import builtins
import inspect
import pathlib
import sys
import textwrap
import types

import torch

from .constructor import call_text, difference, found_call


class Subject:
    """place: what the program is given. init: constructor arguments as text of a call; None: the program finds some by trial.
    made(cls): an instance of cls with those arguments. prefix: what stands before names of its state in the file's module."""

    def __init__(self, place, init, names, prefix=""):
        self.place, self.init, self.prefix, self._names = place, init, prefix, names

    def made(self, cls):
        return eval(f"_class({self.init or ''})", {**self._names, "_class": cls})


def subject_of(module, init, arguments, folder):
    """module: a class or a live module. init: see call_text. arguments: how many forward gets. folder: for a file, if one must be written."""
    if isinstance(module, type) and issubclass(module, torch.nn.Module):
        names = vars(sys.modules[module.__module__])
        return Subject(_place(module, folder), call_text(init) if init is not None else None, names)
    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"{type(module).__name__} is no torch.nn.Module, nor a class of them")
    cls = type(module)
    if _is_torch(cls):
        return _wrapped(module, arguments, folder)
    subject = Subject(_place(cls, folder), call_text(init) if init is not None else _found(module), vars(sys.modules[cls.__module__]))
    _require_same(module, subject.made(cls), cls.__name__)
    return subject


def _is_torch(cls):
    return cls.__module__.partition(".")[0] == "torch"


def _found(module):
    try:
        positional, keywords = found_call(module, lambda cls: f"{cls.__module__}.{cls.__qualname__}" if _is_torch(cls) else cls.__name__)
    except ValueError as error:
        raise ValueError(f"{error}; say the constructor's arguments by init=, such as init=(64,) or init={{'heads': 4}}") from None
    return ", ".join([*positional, *(f"{name}={text}" for name, text in keywords.items())])


def _require_same(module, made, name):
    problem = difference(module, made)
    if problem:
        raise ValueError(f"{name} made anew is another module than this one ({problem}); say the constructor's arguments by init=")


def _place(cls, folder):
    """FILE:Class where the class stands at the top of a file, from which the program cuts it; else a file with all that it names."""
    try:
        file = inspect.getsourcefile(cls)
    except TypeError:
        file = None
    if file and pathlib.Path(file).is_file() and "." not in cls.__qualname__:
        return f"{pathlib.Path(file).resolve()}:{cls.__name__}"
    path = pathlib.Path(folder, f"{cls.__name__}.py")
    path.write_text(_Composed().with_class(cls).text(), encoding="utf-8")
    return f"{path}:{cls.__name__}"


def _wrapped(module, arguments, folder):
    """torch's own classes (a Sequential, a LayerNorm) as part of a Model in KernelBench's form."""
    composed = _Composed()
    try:
        positional, keywords = found_call(module, composed.name_of)
    except ValueError as error:
        raise ValueError(f"{error}; write the module as a class of its own") from None
    call = f"{composed.name_of(type(module))}({', '.join([*positional, *(f'{n}={t}' for n, t in keywords.items())])})"
    names = ", ".join(f"x{i}" for i in range(arguments))
    model = (f"class Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.module = {call}\n\n"
             f"    def forward(self, {names}):\n        return self.module({names})\n")
    text = composed.text() + "\n\n" + model
    scope = {}
    exec(compile(text, f"<{type(module).__name__}>", "exec"), scope)
    _require_same(module, scope["Model"]().module, type(module).__name__)
    path = pathlib.Path(folder, f"{type(module).__name__}.py")
    path.write_text(text, encoding="utf-8")
    return Subject(f"{path}:Model", None, {}, "module.")


class _Composed:
    """Text of classes and of what they name: for those that stand in no file's top, as in notebooks and functions."""

    def __init__(self):
        self._imports, self._parts, self._known = ["import torch"], [], {}

    def text(self):
        return "\n".join(dict.fromkeys(self._imports)) + "\n\n\n" + "\n\n".join(self._parts)

    def with_class(self, cls):
        self._add(cls.__name__, cls)
        return self

    def name_of(self, cls):
        if _is_torch(cls):
            return f"torch.nn.{cls.__name__}" if getattr(torch.nn, cls.__name__, None) is cls else f"{cls.__module__}.{cls.__qualname__}"
        self._add(cls.__name__, cls)
        return cls.__name__

    def _add(self, name, thing):
        if name in self._known:
            if self._known[name] is not thing:
                raise ValueError(f"two things are called {name}; write the module into a file")
            return
        self._known[name] = thing
        try:
            source = textwrap.dedent(inspect.getsource(thing))
        except (OSError, TypeError):
            raise ValueError(f"the source of {name} is not to be found; write it into a file") from None
        scope = dict(vars(sys.modules[thing.__module__]))
        for function in [one for one in vars(thing).values() if isinstance(one, types.FunctionType)] if isinstance(thing, type) else [thing]:
            scope.update(inspect.getclosurevars(function).nonlocals)
        for used in _names_in(source):
            if used in scope and used != name and not hasattr(builtins, used):
                self._take(used, scope[used])
        self._parts.append(source)

    def _take(self, name, value):
        if isinstance(value, types.ModuleType):
            self._imports.append(f"import {value.__name__} as {name}" if value.__name__ != name else f"import {name}")
        elif isinstance(value, (type, types.FunctionType)) and (value.__module__ == "__main__" or "<locals>" in value.__qualname__):
            self._add(name, value)
        elif getattr(value, "__module__", None) and getattr(value, "__qualname__", "").isidentifier():
            own = value.__qualname__
            self._imports.append(f"from {value.__module__} import {own}" + (f" as {name}" if own != name else ""))
        elif isinstance(value, (bool, int, float, str, tuple, type(None))):
            self._parts.append(f"{name} = {value!r}")


def _names_in(source):
    return dict.fromkeys(node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name))
