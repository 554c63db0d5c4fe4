"""Writes the SHA-256 of each file's syntax tree, as Python sees it, in the form of tests/python/test_syntax.cpp."""
import ast
import hashlib
import sys


def value(v):
    if isinstance(v, ast.AST):
        return node(v)
    if isinstance(v, list):
        return "[" + "".join(value(x) + "," for x in v) + "]"
    if v is None or isinstance(v, bool):
        return str(v)
    if isinstance(v, int):
        return str(v) if -2**63 <= v < 2**63 else "other int"
    if isinstance(v, float):
        return "%.17g" % v
    if isinstance(v, str):
        return "<" + v + ">"
    return "other " + ("ellipsis" if v is ... else type(v).__name__)


def node(n):
    at = [getattr(n, a, None) or 0 for a in ("lineno", "col_offset", "end_lineno", "end_col_offset")]
    fields = "".join(f"{name}={value(getattr(n, name))} " for name in n._fields if hasattr(n, name))
    return "%s@%d:%d-%d:%d(%s)" % (type(n).__name__, *at, fields)


sys.setrecursionlimit(20000)
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        print(hashlib.sha256(node(ast.parse(file.read())).encode("utf-8", "surrogatepass")).hexdigest(), path)
