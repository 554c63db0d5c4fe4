"""All that a compiler needs of a Triton kernel: its text, the jit functions it reaches, and the globals they read."""
import ast
import builtins
import functools
import types

import triton.language as tl
from triton.runtime.jit import JITFunction

_LIBRARIES = ("triton", "math", "torch._inductor.runtime")


def capture(kernel, program, passed=()):
    """The kernel's record; `passed` are jit functions given as arguments."""
    functions, constants, imports = [], {}, {}
    seen = {}

    def visit(jit):
        name = jit.fn.__name__
        if name in seen:
            return
        seen[name] = jit
        functions.append({"name": name, "source": jit.src, "at": _place(jit, program)})
        scope = jit.get_capture_scope()
        annotations = jit.fn.__globals__.get("__annotations__", {})
        for used in _names(jit.src):
            if used in scope and used not in jit.arg_names:
                bind(used, scope[used], _is_constexpr(annotations.get(used)))

    def bind(name, v, annotated):
        if isinstance(v, JITFunction) and not _from_library(v.fn.__module__):
            visit(v)
        elif isinstance(v, types.ModuleType):
            if _from_library(v.__name__):
                imports[name] = v.__name__
        elif getattr(v, "__name__", None) and _from_library(getattr(v, "__module__", None) or ""):
            imports[name] = f"{v.__module__}:{v.__name__}"
        else:
            text = literal(v)
            if text is not None:
                constants[name] = f"tl.constexpr({text})" if annotated and not isinstance(v, tl.constexpr) else text

    visit(kernel)
    for function in passed:
        visit(function)
    return {"name": kernel.fn.__name__, "functions": functions, "constants": sorted(constants.items()),
            "imports": sorted(imports.items())}


def literal(v):
    """Python text that makes the value again, with `tl` at hand; None for what is no constant."""
    if isinstance(v, tl.constexpr):
        inner = literal(v.value)
        return None if inner is None else f"tl.constexpr({inner})"
    if isinstance(v, tl.dtype):
        return f"tl.{v}" if hasattr(tl, str(v)) else f"tl.dtype({v.name!r})"
    if isinstance(v, float) and v != v or v in (float("inf"), float("-inf")) and isinstance(v, float):
        return f"float('{v}')"
    if v is None or isinstance(v, (bool, int, float, str)):
        return repr(v)
    if isinstance(v, tuple):
        inner = [literal(x) for x in v]
        return None if None in inner else "(" + "".join(x + ", " for x in inner) + ")"
    return None


@functools.lru_cache(maxsize=None)
def _names(source):
    used = {n.id for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name)}
    return tuple(sorted(n for n in used if not hasattr(builtins, n)))


def _from_library(module):
    return any(module == m or module.startswith(m + ".") for m in _LIBRARIES)


def _is_constexpr(annotation):
    return annotation is tl.constexpr or (isinstance(annotation, str) and annotation.endswith("constexpr"))


def _place(jit, program):
    number = program.file_number(jit.fn.__code__.co_filename)
    if number is None:
        return None
    head = next((i for i, line in enumerate(jit.raw_src) if line.lstrip().startswith("def ")), 0)
    return [number, jit.starting_line_number + head]


