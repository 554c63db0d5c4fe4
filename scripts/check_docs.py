#!/usr/bin/env python3
"""Holds the pages against the files: links between them lead somewhere, and paths that they name are there
(from the root, or from src where they begin with a module: `judge/reward.h`); src/README.md has a paragraph for each
module, and the files that it names are the module's.

usage: check_docs.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:src|docs|scripts|tests|bench|cmake|clients|examples|\.ci)/[\w./-]*\w/?)`")
IN_SOURCE = re.compile(r"`((?:%s)/[\w./]*(?:\.\w+|/))`" % "|".join(p.name for p in (ROOT / "src").iterdir() if p.is_dir()))
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def anchors(text):
    """As GitHub makes them."""
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", h).lower()).strip().replace(" ", "-") for h in HEADING.findall(text)}


def faults_of(page):
    text = BLOCK.sub("", page.read_text())
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists():
            yield f"no {link}"
        elif anchor and target.suffix == ".md" and anchor not in anchors(BLOCK.sub("", target.read_text())):
            yield f"no heading {link}"
    for path in PATH.findall(text) + [f"src/{path}" for path in IN_SOURCE.findall(text)]:
        if not (ROOT / path).exists():
            yield f"no {path}"


def faults_of_map():
    paragraphs = re.findall(r"^- \*\*(\w+)/\*\*(.*?)(?=^- |\Z)", (ROOT / "src" / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    for missing in {p.name for p in (ROOT / "src").iterdir() if p.is_dir()} ^ {module for module, _ in paragraphs}:
        yield f"no paragraph, or no module: {missing}"
    for module, text in paragraphs:
        for path in re.findall(r"`([\w/]+(?:\.(?:h|cpp|py|txt)|/))`", text):
            if not any((ROOT / "src" / module).rglob(pathlib.Path(path).name)):
                yield f"no {path} in {module}"


def main():
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "src" / "README.md", *ROOT.glob("clients/*/README.md"), *ROOT.glob("bench/*/README.md")]
    faults = [f"{page.relative_to(ROOT)}: {fault}" for page in sorted(pages) for fault in faults_of(page)]
    faults += [f"src/README.md: {fault}" for fault in faults_of_map()]
    print("\n".join(faults) or f"{len(pages)} pages: all links and paths lead somewhere")
    return 1 if faults else 0


sys.exit(main())
