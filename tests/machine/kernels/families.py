"""All cases, by importing every file of the folder that registers some."""
import importlib
import pathlib

from .case import CASES

_NOT_FAMILIES = {"__init__", "case", "case_program", "compare", "compile_cases", "element_types", "execute_cases", "families",
                 "make_cases", "recorded_outputs"}


def load():
    for path in sorted(pathlib.Path(__file__).parent.glob("*.py")):
        if path.stem not in _NOT_FAMILIES:
            importlib.import_module(f"{__package__}.{path.stem}")
    return CASES


def chosen(only):
    """Those whose name, family or name within the family is listed; all if nothing is."""
    return {n: c for n, c in load().items() if not only or {n, c.family, n.split("/")[1]} & set(only)}
