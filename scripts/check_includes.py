#!/usr/bin/env python3
"""Holds every #include of src/ against src/include_rules.txt.

usage: check_includes.py PROJECT_FOLDER
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z_]+)/', re.MULTILINE)


def read_rules(path):
    rules = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            module, _, allowed = line.partition(":")
            rules[module.strip()] = set(allowed.split())
    return rules


def find_cycle(rules):
    def visit(module, path):
        if module in path:
            return path[path.index(module):] + [module]
        return next((c for m in sorted(rules.get(module, ())) if (c := visit(m, path + [module]))), None)
    return next((c for m in sorted(rules) if (c := visit(m, []))), None)


def main():
    source = pathlib.Path(sys.argv[1]) / "src"
    rules = read_rules(source / "include_rules.txt")
    faults = [f"cycle in the rules: {' -> '.join(cycle)}"] if (cycle := find_cycle(rules)) else []
    for folder in sorted(p for p in source.iterdir() if p.is_dir()):
        if folder.name not in rules:
            faults.append(f"src/{folder.name} is not in include_rules.txt")
            continue
        for file in sorted(p for p in folder.rglob("*") if p.suffix in (".h", ".cpp")):
            for module in INCLUDE.findall(file.read_text()):
                if module in rules and module != folder.name and module not in rules[folder.name]:
                    faults.append(f"{file.relative_to(source.parent)}: {folder.name} may not include {module}")
    print("\n".join(faults) or f"{len(rules)} modules keep to the rules")
    return 1 if faults else 0


sys.exit(main())
