"""Notes what the value of every expression of a task was, by its place in the text: kinds, types and shapes, never contents of tensors.

A place comes with its distinct values in the order of their first appearance, each a JSON object:
  {"kind": "tensor", "dtype": "float32", "shape": [2, 3]}   on the target; those on the host, which no kernel can read, are "other"
  {"kind": "int" | "float" | "bool" | "text", "value": 3}   without "value": it changed, or is too long to tell; inf and nan are texts
  {"kind": "none"}, {"kind": "list", "items": [value, …]}
  {"kind": "module", "class": "LeakyReLU", "attributes": {"negative_slope": value, …}}   class "": not exactly one of torch.nn
  {"kind": "other", "name": "torch.nn.functional.relu"}     "name" of functions, modules and classes of torch
  {"kind": "unknown"}                                       too many different ones
"""
import ast
import math
import sys
import types

import torch

from . import gpu_look, instrument

MOST_VALUES = 64   # distinct ones of a place
MOST_ITEMS = 64    # of a list
MOST_DEPTH = 4     # of lists and modules in each other
MOST_TEXT = 200
_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
_CONTAINERS = (torch.nn.Sequential, torch.nn.ModuleList)
_NONE = {"kind": "none"}
_DTYPES = {d: str(d)[len("torch."):] for d in vars(torch).values() if isinstance(d, torch.dtype)}


def load(name, path, source, notes):
    """Like modules.load, with the values of all expressions shown to `notes`."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(source)  # tracebacks and Triton read it
    tree, notes.places = instrument.instrumented(ast.parse(source, path))
    module = types.ModuleType(name)
    module.__file__ = path
    vars(module)[instrument.NOTE] = notes.note
    sys.modules[name] = module
    exec(compile(tree, path, "exec", dont_inherit=True), vars(module))
    return module


class Notes:
    def __init__(self):
        self.places = []
        self._values = {}  # place -> {key: value}, keys such that equal ones merge to the first
        self._known = {}  # modules by id, once they are made
        self.made = False  # the constructor is done: modules keep their attributes from now on

    def note(self, place, value):
        values = self._values.get(place)
        if values is None:
            values = self._values[place] = {}
        if len(values) <= MOST_VALUES:
            try:
                key, told = self._tell(value, 0)
            except Exception:  # a lazy parameter without a shape, an object with a will of its own
                key, told = "other", {"kind": "other"}
            if key not in values:
                values[key] = told
            elif told.get("value") != values[key].get("value"):
                values[key].pop("value", None)
        return value

    def to_json(self):
        return [[*self.places[place], list(values.values()) if len(values) <= MOST_VALUES else [{"kind": "unknown"}]]
                for place, values in self._values.items()]

    def _tell(self, value, depth, anywhere=False):
        """(key, JSON form). Scalars of a kind have one key: the second value only tells that it changes."""
        kind = type(value)
        if value is None:
            return "none", _NONE
        if kind is torch.Tensor or kind is torch.nn.Parameter or isinstance(value, torch.Tensor):
            if not anywhere and not gpu_look.program.on_target(value):
                return "host", {"kind": "other"}
            shape = list(value.shape)
            return (value.dtype, tuple([s == 1 for s in shape])), {"kind": "tensor", "dtype": _DTYPES[value.dtype], "shape": shape}
        if isinstance(value, bool):
            return "bool", {"kind": "bool", "value": value}
        if isinstance(value, int):
            return "int", {"kind": "int", "value": int(value)} if -(1 << 63) <= value < 1 << 63 else {"kind": "int"}
        if isinstance(value, float):
            return "float", {"kind": "float", "value": float(value) if math.isfinite(value) else str(float(value))}
        if isinstance(value, str):
            return "text", {"kind": "text", "value": str(value)} if len(value) <= MOST_TEXT and value.isprintable() else {"kind": "text"}
        if isinstance(value, torch.nn.Module):
            return self._module(value, depth)
        if isinstance(value, (list, tuple)) and len(value) <= MOST_ITEMS and depth < MOST_DEPTH:
            told = [self._item(item, depth + 1) for item in value]
            return ("list", *[self._exact(k, t) for k, t in told]), {"kind": "list", "items": [t for _, t in told]}
        name = _name_of(value)
        return ("other", name), {"kind": "other", "name": name} if name else {"kind": "other"}

    def _item(self, value, depth):
        """Modules in lists are told where they are taken out: a list that grows would repeat them all."""
        return ("other", {"kind": "other"}) if isinstance(value, torch.nn.Module) else self._tell(value, depth)

    @staticmethod
    def _exact(key, told):
        """Inside lists and modules every value counts: they are merged item by item on the other side."""
        return (key, told["value"]) if "value" in told else (key, tuple(told["shape"])) if "shape" in told else key

    def _module(self, module, depth):
        known = self._known.get(id(module))
        if known is not None:
            return known[0]
        cls = type(module)
        name = cls.__name__
        plain = getattr(torch.nn, name, None) is cls and not any(getattr(module, h, None) for h in _HOOKS) and "forward" not in vars(module)
        told = {"kind": "module", "class": name if plain else "", "attributes": {}}
        key = ["module", told["class"]]
        if plain:
            self._attributes(module, told["attributes"], key, depth)
        if self.made and depth == 0:
            self._known[id(module)] = ((tuple(key), told), module)
        return tuple(key), told

    def _attributes(self, module, out, key, depth):
        def add(name, value):
            item_key, told = self._tell(value, depth + 1, anywhere=True)  # a module is moved after it was made
            out[name] = told
            key.append((name, self._exact(item_key, told)))
        for name, value in vars(module).items():
            if not name.startswith("_") and _is_plain(value):
                add(name, value)
        for tensors in (module._parameters, module._buffers):
            for name, value in tensors.items():
                add(name, value)
        if isinstance(module, _CONTAINERS) and len(module) <= MOST_ITEMS and depth < MOST_DEPTH:
            for name, value in module._modules.items():
                add(name, value)


def _is_plain(value):
    if isinstance(value, (list, tuple)):
        return len(value) <= 8 and all(_is_plain(v) for v in value)
    return value is None or isinstance(value, (bool, int, float, str))


def _name_of(value):
    """The dotted name of what torch defines; empty for all else."""
    if isinstance(value, types.ModuleType):
        return value.__name__ if value.__name__.partition(".")[0] in ("torch", "math") else ""
    return _NAMES.get(id(value), "") if callable(value) and not isinstance(value, types.MethodType) else ""


def _torch_names():
    names = {}
    for module in (torch, torch.nn.functional, torch.nn, torch.special, torch.linalg, torch.nn.init, math):
        for name, value in vars(module).items():
            if not name.startswith("_") and callable(value):
                names.setdefault(id(value), f"{module.__name__}.{name}")
    return names


_NAMES = _torch_names()  # of objects that live as long as torch does
