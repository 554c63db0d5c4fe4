"""The composed file: checked to hold jit functions, constants and imports of Triton and nothing else, then executed."""
import __future__

import ast
import builtins
import importlib
import sys
import types

from . import inductor

FILE = "kernel.py"
JIT = "_tritonrl_jit"  # the name that the composed file gives triton.jit
_ALLOWED_MODULES = ("triton", "math", "torch._inductor.runtime")
_PLAIN_CALLS = ("float", "int", "bool", "tl.constexpr", "tl.dtype", "tl.pointer_type")


class Refused(Exception):
    """The file holds more than a kernel may."""

    def __init__(self, message, node=None):
        super().__init__(message)
        self.line = getattr(node, "lineno", 0)


def load(source):
    """The module of the composed file."""
    try:
        tree = ast.parse(source, FILE)
    except (SyntaxError, ValueError) as error:
        raise Refused(f"no Python: {getattr(error, 'msg', error)}", error) from None
    names = _check(tree)
    with open(FILE, "w", encoding="utf-8") as file:  # Triton reads the text of its functions from there
        file.write(source)
    bare, dotted = _annotation_names(tree)
    # Triton evaluates annotations itself; a name in one that nothing binds is its error to report, with the line
    lazy = __future__.annotations.compiler_flag if bare - names else 0
    code = compile(source, FILE, "exec", flags=lazy, dont_inherit=True)
    module = types.ModuleType("kernel")
    module.__file__ = FILE
    sys.modules["kernel"] = module
    for name in dotted - names:
        setattr(module, name, _stand_in(name))
    exec(code, module.__dict__)
    return module


def _check(tree):
    """Refuses every statement but the allowed ones, and gives the names that they bind."""
    names = set(dir(builtins))
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                _import(alias.name, node)
                names.add(alias.asname or alias.name.partition(".")[0])
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            _import(node.module, node)
            names.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            _plain(node.value, "a constant")
            names.add(node.targets[0].id)
        elif isinstance(node, ast.Delete) and all(isinstance(t, ast.Name) for t in node.targets):
            names.difference_update(t.id for t in node.targets)
        elif isinstance(node, ast.FunctionDef):
            _function(node)
            names.add(node.name)
        else:
            raise Refused(f"{type(node).__name__} beside the kernel's functions; only jit functions, constants and imports of triton may be there", node)
    return names


def _import(name, node):
    if not any(name == m or name.startswith(m + ".") for m in _ALLOWED_MODULES):
        raise Refused(f"import of {name}; a kernel may import {', '.join(_ALLOWED_MODULES)}", node)
    if name.startswith("torch."):
        inductor.provide(name)
    try:
        importlib.import_module(name)
    except ImportError as error:
        raise Refused(f"import of {name}: {error}", node) from None


def _function(node):
    decorators = node.decorator_list
    if len(decorators) != 1 or not isinstance(decorators[0], ast.Name) or decorators[0].id != JIT:
        raise Refused(f"function {node.name} has other decorators than triton.jit", node)
    arguments = node.args
    for default in (*arguments.defaults, *arguments.kw_defaults):
        if default is not None:
            _plain(default, f"a default of {node.name}")
    for annotation in _annotations(node):
        _plain(annotation, f"an annotation of {node.name}")


def _plain(node, what):
    """A literal, a (dotted) name, arithmetic or tuples of them, tl.constexpr(...) and the like."""
    if isinstance(node, (ast.Constant, ast.Name)):
        return
    if isinstance(node, ast.Attribute) and not node.attr.startswith("_"):
        return _plain(node.value, what)
    if isinstance(node, ast.UnaryOp):
        return _plain(node.operand, what)
    if isinstance(node, ast.BinOp):
        return _all_plain((node.left, node.right), what)
    if isinstance(node, (ast.Tuple, ast.List)):
        return _all_plain(node.elts, what)
    if isinstance(node, ast.Subscript):
        return _all_plain((node.value, node.slice), what)
    if isinstance(node, ast.Call) and not node.keywords and ast.unparse(node.func) in _PLAIN_CALLS:
        return _all_plain(node.args, what)
    raise Refused(f"{what} is no literal: {ast.unparse(node)[:200]}", node)


def _all_plain(nodes, what):
    for node in nodes:
        _plain(node, what)


def _annotations(function):
    a = function.args
    every = (*a.posonlyargs, *a.args, *a.kwonlyargs, *(x for x in (a.vararg, a.kwarg) if x))
    return [x for x in (*(one.annotation for one in every), function.returns) if x is not None]


def _annotation_names(tree):
    """The names that annotations read: those that stand alone, and those before a dot."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    nodes = [n for f in functions for a in _annotations(f) for n in ast.walk(a)]
    dotted = {n.value for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
    bare = {n.id for n in nodes if isinstance(n, ast.Name) and n not in dotted}
    return bare, {n.id for n in dotted} - bare


def _stand_in(name):
    """A module that only annotations name (`x: torch.Tensor`), which Triton looks at and forgets."""
    module = types.ModuleType(name)  # no subclass: Triton looks for the very type

    def attribute(name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Anything(name, (), {})

    module.__getattr__ = attribute
    return module


class _Anything(type):
    def __getitem__(cls, _):
        return cls
