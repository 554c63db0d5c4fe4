"""From the launch's recorded arguments to what Triton compiles for: signature, constants, attributes."""
import triton.language as tl

from .module import Refused

_ALIGNED = [["tt.divisibility", 16]]


def read(fn, module, arguments):
    """(signature, constants, attributes) in ASTSource's form."""
    names = [a["name"] for a in arguments]
    if names != fn.arg_names:
        raise Refused(f"the launch passes ({', '.join(names)}) to a kernel that takes ({', '.join(fn.arg_names)})")
    signature, constants, attributes = {}, {}, {}
    for i, argument in enumerate(arguments):
        signature[argument["name"]] = _type(argument["type"])
        _constants((i,), argument["type"], argument.get("value"), constants, module)
        if argument.get("aligned"):
            attributes[(i,)] = _ALIGNED
    return signature, constants, attributes


def _type(t):
    return tuple(map(_type, t)) if isinstance(t, list) else t


def _constants(path, t, v, out, module):
    if isinstance(t, list):
        for i, item in enumerate(t):
            _constants((*path, i), item, v[i], out, module)
    elif t == "constexpr":
        out[path] = value(v, module)


def value(v, module):
    """A constant: numbers, text, None, tuples, Triton types, jit functions by name."""
    if isinstance(v, list):
        return tuple(value(x, module) for x in v)
    if not isinstance(v, dict):
        return v
    kind, inner = next(iter(v.items()))
    if kind == "float":
        return float(inner)
    if kind == "dtype":
        return TorchDtype(inner)
    if kind == "symbol":
        return _symbol(inner, module)
    raise Refused(f"a constant of kind {kind} cannot be compiled into a kernel")


def _symbol(name, module):
    if not name.startswith("tl."):
        found = vars(module).get(name)
        if found is None:
            raise Refused(f"the constant {name} is no function that came with the kernel")
        return found
    name = name[3:]
    if name.startswith("pointer<") and name.endswith(">"):
        return tl.pointer_type(_symbol("tl." + name[len("pointer<"):-1], module))
    found = getattr(tl, name, None)
    return found if isinstance(found, tl.dtype) else tl.dtype(name)


class TorchDtype:
    """Stands for one of torch's types, which Triton passes on as it is and can do nothing with."""

    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return isinstance(other, TorchDtype) and other.name == self.name

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return f"torch.{self.name}"


TorchDtype.__name__ = TorchDtype.__qualname__ = "torch.dtype"  # for messages: 'torch.dtype' object has no attribute ...
