"""Errors as a person wants them: which function and line, and why, without Triton's drawing of the place."""
import ast
import re
import traceback

from triton.compiler.errors import CompilationError
from triton.runtime.jit import JITCallable

from .module import FILE

MAX_MESSAGE = 4000
_MAX_FRAMES = 32
_VAGUE = ("error encountered during parsing", "PassManager::run failed")  # the reason was printed


class OutOfMemory(Exception):
    """The reason was that the process may not have more memory."""


def describe(error, module):
    """The reason, the exception's name, and the calls that led there, outermost first. Vague: what was printed says more."""
    frames, reason, node = [], error, None
    while isinstance(reason, CompilationError):
        frames.append(_frame(reason, module))
        node = reason.node
        inner = reason.__cause__ if reason.error_message is None else None
        if inner is None:
            break
        reason = inner
    name, message = _reason(reason)
    if name == "MemoryError":
        raise OutOfMemory
    vague = not message or name == "RuntimeError" and message in _VAGUE
    message = _clearer(name, message, node)
    if not frames:
        frames = _python_frames(error)
    own = [f for f in frames if f]
    return {"exception": name, "message": message[:MAX_MESSAGE], "frames": own[:_MAX_FRAMES], "vague": vague}


def _reason(error):
    if not isinstance(error, CompilationError):
        return type(error).__name__, str(error).strip()
    # an exception inside the front end is wrapped with its repr alone; it is still there as the context
    origin = error.__cause__ or error.__context__
    if origin is not None and not isinstance(origin, CompilationError):
        return type(origin).__name__, str(origin).strip()
    return type(error).__name__, (error.error_message or "").strip()


def _clearer(name, message, node):
    """Words for errors that the front end never meant to raise."""
    if name == "KeyError" and isinstance(node, ast.Call) and message.startswith("'kernel."):
        return f"{ast.unparse(node.func)} calls itself; kernels cannot recurse"
    if name == "KeyError" and message.startswith("(triton.language."):
        return f"the function has no version for arguments of type {message.replace('triton.language.', '')}"
    if name == "PTXASError":
        found = re.findall(r"^ptxas [^\n]*?(?:error|fatal)\s*: (.*)$", message, re.MULTILINE)
        return "the assembler refuses it: " + "; ".join(found[:4]) if found else message
    if name == "AttributeError" and isinstance(node, ast.With):
        return "this kind of with is not supported"
    if name == "StopIteration" and isinstance(node, (ast.FunctionDef, ast.arguments, ast.arg)):
        return "nested function definition is not supported"
    return message or f"{name} in Triton's front end"


def _frame(error, module):
    """The place in the composed file; None inside Triton's library."""
    for name, function in vars(module).items():
        if isinstance(function, JITCallable) and function.__module__ == module.__name__ and function.src == error.src:
            head = next(i for i, line in enumerate(function.raw_src) if line.lstrip().startswith("def "))
            first = function.starting_line_number + head
            return {"function": name, "line": first + getattr(error.node, "lineno", 1) - 1}
    return None


def _python_frames(error):
    found = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == FILE]
    return [{"function": "" if f.name == "<module>" else f.name, "line": f.lineno} for f in found]
