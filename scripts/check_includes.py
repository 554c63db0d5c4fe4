#!/usr/bin/env python3
"""Holds every #include of src/ against src/include_rules.txt.

usage: check_includes.py PROJECT_FOLDER
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z_0-9/]+)/[a-z_0-9]+\.h"', re.MULTILINE)


def read_rules(path):
    rules = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, allowed = line.partition(":")
            rules[name.strip()] = allowed.split()
    return rules


def is_below(folder, name):
    return folder.startswith(name + "/")


def line_of(rules, folder):
    """The rule that a folder is under: the longest name that fits."""
    return max((name for name in rules if folder == name or is_below(folder, name)), key=len, default=None)


def reachable(rules, name):
    """The rules whose headers may be included from under `name`."""
    found = {name}
    for allowed in rules[name]:
        found.add(allowed)
        if not is_below(name, allowed):
            found.update(other for other in rules if is_below(other, allowed))
    return found


def find_cycle(rules):
    def visit(name, path):
        if name in path:
            return path[path.index(name):] + [name]
        if name in done:
            return None
        cycle = next((c for n in sorted(reachable(rules, name) - {name}) if (c := visit(n, path + [name]))), None)
        done.add(name)
        return cycle
    done = set()
    return next((c for name in sorted(rules) if (c := visit(name, []))), None)


def find_faults(source, rules):
    for name in rules:
        if not (source / name).is_dir():
            yield f"include_rules.txt: there is no src/{name}"
        yield from (f"include_rules.txt: {name} names {n}, which has no line" for n in rules[name] if n not in rules)
    if cycle := find_cycle({n: [a for a in allowed if a in rules] for n, allowed in rules.items()}):
        yield f"cycle in the rules: {' -> '.join(cycle)}"
    for file in sorted(p for p in source.rglob("*") if p.suffix in (".h", ".cpp")):
        folder = file.parent.relative_to(source).as_posix()
        own = line_of(rules, folder)
        if own is None:
            yield f"src/{folder} is not in include_rules.txt"
            continue
        for included in INCLUDE.findall(file.read_text()):
            other = line_of(rules, included)
            if other is not None and other not in reachable(rules, own):
                yield f"{file.relative_to(source.parent)}: {own} may not include {other}"


def main():
    source = pathlib.Path(sys.argv[1]) / "src"
    rules = read_rules(source / "include_rules.txt")
    faults = list(find_faults(source, rules))
    print("\n".join(faults) or f"{len(rules)} folders keep to the rules")
    return 1 if faults else 0


sys.exit(main())
