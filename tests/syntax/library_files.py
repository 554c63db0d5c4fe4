"""What the tests of parse and unparse ask of Python.

    list shallow|deep      paths of the standard library's files and torch.nn's
    unparse PATHS OUT      ast.unparse of each file, a zero byte behind each
    version
"""
import ast
import importlib.util
import os
import sys
import warnings
from pathlib import Path

SKIPPED = {"test", "tests", "idle_test", "site-packages", "__pycache__", "lib2to3"}


def readable(path):
    try:
        text = path.read_text(encoding="utf-8")
        ast.parse(text)
        return "\0" not in text
    except (SyntaxError, ValueError, RecursionError):
        return False


def files(folder, deep):
    paths = []
    for here, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if f not in SKIPPED] if deep else []
        paths += [Path(here) / name for name in names if name.endswith(".py")]
    return sorted(paths)


def list_files(deep):
    found = files(Path(ast.__file__).parent, deep)
    torch = importlib.util.find_spec("torch")
    if torch is not None:
        found += files(Path(torch.origin).parent / "nn", True)
    for path in found:
        if (deep or path.stat().st_size < 60_000) and readable(path):
            print(path)


def unparse(paths, out):
    with open(out, "w", encoding="utf-8", errors="surrogatepass", newline="") as result:
        for path in Path(paths).read_text().splitlines():
            try:
                result.write(ast.unparse(ast.parse(Path(path).read_bytes().decode())) + "\0")
            except ValueError:  # it cannot write every f-string
                result.write("refused\0")


sys.setrecursionlimit(20000)
warnings.simplefilter("ignore")
if sys.argv[1] == "list":
    list_files(sys.argv[2] == "deep")
elif sys.argv[1] == "unparse":
    unparse(sys.argv[2], sys.argv[3])
else:
    print("%d.%d" % sys.version_info[:2])
