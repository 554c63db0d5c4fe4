#!/usr/bin/env python3
"""Writes docs/figures.md and the table of the README from the result files in bench/results.

usage: write_figures.py [--check]     --check: write nothing, fail if a page is not what would be written

A result file is one bench or claim:
  section   a heading of docs/figures.md, one of SECTIONS
  command   what prints the figures, run in the root of the repository
  machine   where it was measured
  date      when: YYYY-MM-DD
  note      optional: what the command needs
  figures   [{claim, figure}, …]; each may have a command, machine, date or note of its own, and
            "readme": {place, claim, figure}: its line in the README, in shorter words
Links in texts are relative to the root.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECTIONS = ["The judge", "Recording", "The kernel machine", "The teacher", "Optimising a module", "Data", "Text", "The model", "Training", "Reinforcement", "The build"]
README_ROWS = 9
SHARED = {"command": True, "machine": True, "date": True, "note": False}  # name: must be there
START, END = "<!-- from bench/results by scripts/write_figures.py -->", "<!-- end of the figures -->"

HEAD = """# Figures

Written by `scripts/write_figures.py` from `bench/results/`; change the result files, not this page. Every line names the command that
prints it, run in the root of the repository after `scripts/setup.sh`. CHECKOUT is a checkout of KernelBench. A line that
begins with … continues the one above it.
"""


class BadResult(Exception):
    pass


def check_names(where, value, needed, optional=()):
    if missing := [name for name in needed if name not in value]:
        raise BadResult(f"{where}: has no {', '.join(missing)}")
    if unknown := set(value) - set(needed) - set(optional):
        raise BadResult(f"{where}: nobody reads {', '.join(sorted(unknown))}")


def read_results(folder):
    """Every figure as one dict, with what it shares with its file, by section and file name."""
    rows = []
    for path in sorted(folder.glob("*.json")):
        try:
            result = json.loads(path.read_text())
        except ValueError as error:
            raise BadResult(f"{path.name}: {error}")
        check_names(path.name, result, ("section", "figures"), SHARED)
        if result["section"] not in SECTIONS:
            raise BadResult(f"{path.name}: section is none of {', '.join(SECTIONS)}")
        for number, figure in enumerate(result["figures"], start=1):
            where = f"{path.name}, figure {number}"
            row = {name: result[name] for name in SHARED if name in result} | figure
            check_names(where, row, ["claim", "figure"] + [name for name, needed in SHARED.items() if needed], ["note", "readme"])
            if "readme" in row:
                check_names(f"{where}, readme", row["readme"], ("place", "claim", "figure"))
            if not re.fullmatch(r"\d{4}-\d\d-\d\d", row["date"]):
                raise BadResult(f"{where}: date is not YYYY-MM-DD")
            rows.append(row | {"section": result["section"], "first": number == 1})
    return sorted(rows, key=lambda row: SECTIONS.index(row["section"]))


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def from_docs(text):
    """The same links, seen from docs/."""
    return re.sub(r"\]\((?!https?:|#)(docs/)?", lambda m: "](" if m[1] else "](../", text)


def figures_page(rows):
    lines = [HEAD]
    for section in SECTIONS:
        of_section = [row for row in rows if row["section"] == section]
        if not of_section:
            continue
        lines += [f"## {section}", "", "| claim | figure | command | where, when |", "|---|---|---|---|"]
        before = None
        for row in of_section:
            command = "same" if not row["first"] and row["command"] == before else row["command"]
            before = row["command"]
            note = f"; {row['note']}" if row.get("note") else ""
            where = f"{row['machine']}, {row['date']}"
            lines.append(f"| {cell(row['claim'])} | {cell(row['figure'])} | {cell(command + note)} | {cell(where)} |")
        lines.append("")
    return from_docs("\n".join(lines))


def readme_table(rows):
    chosen = sorted((row for row in rows if "readme" in row), key=lambda row: row["readme"]["place"])
    if [row["readme"]["place"] for row in chosen] != list(range(1, README_ROWS + 1)):
        raise BadResult(f"the README has the places 1 to {README_ROWS}, once each: got {[row['readme']['place'] for row in chosen]}")
    lines = ["| claim | figure | command |", "|---|---|---|"]
    for row in chosen:
        lines.append(f"| {cell(row['readme']['claim'])} | {cell(row['readme']['figure'])} | {cell(row['command'])} |")
    return "\n".join(lines)


def readme_page(text, rows):
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise BadResult(f"README.md: has no {START} … {END}")
    return f"{before}{START}\n\n{readme_table(rows)}\n\n{END}{after}"


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        print(__doc__, file=sys.stderr)
        return 2
    readme = ROOT / "README.md"
    try:
        rows = read_results(ROOT / "bench" / "results")
        pages = {ROOT / "docs" / "figures.md": figures_page(rows), readme: readme_page(readme.read_text(), rows)}
    except BadResult as error:
        print(f"bench/results: {error}", file=sys.stderr)
        return 1
    stale = [path for path, text in pages.items() if not path.exists() or path.read_text() != text]
    if not check:
        for path in stale:
            path.write_text(pages[path])
    for path in stale:
        name = path.relative_to(ROOT)
        print(f"{name} differs from bench/results; run scripts/write_figures.py" if check else f"wrote {name}")
    if not stale:
        print(f"{len(rows)} figures, both pages as they should be")
    return 1 if check and stale else 0


sys.exit(main())
