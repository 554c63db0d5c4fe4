"""Parses one text after the other in a confined process.

A tree travels as a pickle: made by C code, it costs a tenth of any dump written in Python. The other side reads it as data.
"""
import ast
import ctypes
import gc
import json
import pickle
import signal
import struct
import sys
import warnings

import channel

PROTOCOL = 4


def prepare(_options):
    """In the zygote."""
    sys.setrecursionlimit(4000)  # of unparse and of pickle; deeper texts are refused
    warnings.simplefilter("ignore")
    normalised(ast.parse("def f(a=1):\n  'a'\n  return f'{a}'"))


def handle(_channel_fd):
    """In the confined child. The first message names the fields of all nodes, then one answer a text."""
    gc.disable()  # trees hold no cycles
    end_on_alarm()
    channel.send_bytes(json.dumps(node_fields()).encode())
    while True:
        try:
            request = channel.receive_bytes()
        except EOFError:
            return
        limit, normalise = struct.unpack_from("<d?", request)
        signal.setitimer(signal.ITIMER_REAL, limit)
        channel.send_bytes(reply(request[9:], normalise))
        signal.setitimer(signal.ITIMER_REAL, 0)


def end_on_alarm():
    """Also inside the parser, where no Python handler would run, and as the first process of a namespace, for which the
    default action is to do nothing: the C library's own _exit is the handler. The exit code is the signal's number."""
    system = ctypes.CDLL(None)
    system.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)
    system.signal.restype = ctypes.c_void_p
    system.signal(signal.SIGALRM, ctypes.cast(system._exit, ctypes.c_void_p))


def node_fields():
    return {name: node._fields for name, node in vars(ast).items() if isinstance(node, type) and issubclass(node, ast.AST)}


def reply(text, normalise):
    try:
        tree = ast.parse(text.decode())
        packed = pickle.dumps(tree, PROTOCOL)
        normal = normalised(tree).encode() if normalise else b""
        return b"T" + struct.pack("<I", len(normal)) + normal + packed
    except SyntaxError as error:
        return failure(error.msg, error.lineno)
    except ValueError as error:  # NUL bytes, digits beyond the limit
        return failure(str(error), 0)
    except RecursionError:
        return failure("it is nested too deeply", 0)
    except MemoryError:
        return failure("it needs more memory than a parser may have", 0)


def failure(message, line):
    return b"E" + json.dumps({"error": str(message), "line": line or 0}).encode()


def normalised(tree):
    """Python's own spelling, without comments and docstrings. Changes the tree."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and has_docstring(node):
            del node.body[0]
            if not node.body and not isinstance(node, ast.Module):
                node.body.append(ast.Pass())
    return ast.unparse(tree)


def has_docstring(node):
    first = node.body[0] if node.body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
