#!/usr/bin/env python3
"""How much of real prompts and answers generated pairs never show. A model that learns from the generator alone can read and write
what the generator shows; this tells what it does not, without training one.

  build/release/tritonrl prepare --generate 20000 ... --prompt short --facts leaves --plan lines --out GENERATED
  build/release/tritonrl prepare --rewrite PACKAGE ... --prompt short --facts leaves --plan lines --out REAL
  scripts/measure_generator_breadth.py GENERATED REAL [REAL ...] [--least 10] [--show 25] [--json FILE]

Texts are compared with own names as `N`, numbers as `0` or `0.0` and texts in quotes as `''`: by lines, by runs of three tokens and by
operators of the plan. An item counts as unknown where fewer than --least generated pairs hold it. Every real text has the same weight,
however long it is. `whole` is the share of texts in which nothing is unknown."""
import argparse
import ast
import collections
import itertools
import json
import pathlib
import re

KEPT = {"self", "super", "__init__", "forward", "get_inputs", "get_init_inputs", "Model", "ModelNew"}
KINDS = ("prompt lines", "prompt trigrams", "answer lines", "answer trigrams", "plan operators")


def own_names(tree):
    """Names that the file itself gives: they may be any."""
    names, attributes = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
            attributes.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            attributes.add(node.attr)
    return names - KEPT, attributes - KEPT


TOKEN = re.compile(r"""\s*(?:(?P<comment>\#.*)|(?P<text>[rfbu]*('[^'\n]*'|"[^"\n]*"))|(?P<number>\d[\d_.]*(?:e[-+]?\d+)?)|(?P<name>\w+)|(?P<sign>\S))""", re.X)
KEYWORD = re.compile(r"=(?!=)")  # behind the name of a keyword argument; elsewhere there are spaces around the sign
COMMENT = re.compile(r"#|\w+(?:\.\w+)*|[^\w\s]")


def normal_lines(text):
    """The lines of normalised Python as lists of tokens; comments (facts, plans) are taken for what they hold. None: not Python."""
    try:
        names, attributes = own_names(ast.parse(text))
    except SyntaxError:
        return None
    own = names | attributes
    lines = []
    for line in text.splitlines():
        words, last, first = [], "", ""
        for token in TOKEN.finditer(line):
            kind, word = token.lastgroup, token.group(token.lastgroup)
            if kind == "comment":
                words += [shorten(part, own) for part in COMMENT.findall(word)]
                continue
            shown = word
            if kind == "number":
                shown = "0" if word.isdigit() else "0.0"
            elif kind == "text":
                shown = "''"
            elif kind == "name" and (word in attributes and first == "self" if last == "." else word in names):
                keyword = last in "(," and KEYWORD.match(line, token.end()) and not line.lstrip().startswith("def ")
                shown = word if keyword else "N"
            words.append(shown)
            first, last = last, word
        if words:
            lines.append(words)
    return lines


def shorten(part, own):
    """A word of a plan or a fact."""
    if part.startswith("self.") or part in own or re.fullmatch(r"_\d+|(fused|kernel)\d+", part):
        return "N"
    if re.fullmatch(r"[\d.]+(e-?\d+)?", part):
        return "0"
    return part


def plan_operators(text):
    for line in text.splitlines():
        if line.startswith("#   "):
            yield from re.findall(r"([A-Za-z]\w*)\(", line)
        elif not line.startswith("#"):
            return


def items_of(row):
    out = {}
    for side, text in (("prompt", row["instruction"]), ("answer", row["output"])):
        lines = normal_lines(text)
        if lines is None:
            return None
        words = [word for line in lines for word in line + ["\n"]]
        out[side + " lines"] = [" ".join(line) for line in lines]
        out[side + " trigrams"] = [" ".join(words[at:at + 3]) for at in range(len(words) - 2)]
    out["plan operators"] = list(plan_operators(row["output"]))
    return out


def kind_of_line(line):
    for kind, pattern in (("fact", r"#.*:"), ("plan", "#"), ("import", "import|from .* import"), ("signature", "def|class|@"),
                          ("super", "super"), ("attribute", "self . N ="), ("return", "return"), ("control", "if|for|while|elif|else|with|assert|raise")):
        if re.match(pattern, line):
            return kind
    return "statement" if "=" in line else "other"


def rows_of(folder):
    for name in ("sft_train.jsonl", "sft_validation.jsonl", "sft_test.jsonl"):
        path = pathlib.Path(folder) / name
        if path.exists():
            with path.open() as file:
                yield from (json.loads(line) for line in file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("generated")
    parser.add_argument("real", nargs="+")
    parser.add_argument("--pairs", type=int, default=20000, help="of the generated ones, at most")
    parser.add_argument("--least", type=int, default=10)
    parser.add_argument("--show", type=int, default=25)
    parser.add_argument("--json", help="the shares, for comparing")
    options = parser.parse_args()
    known = {kind: collections.Counter() for kind in KINDS}
    pairs = 0
    for row in itertools.islice(rows_of(options.generated), options.pairs):
        items = items_of(row)
        assert items is not None, f"{row['id']} is no Python"
        pairs += 1
        for kind in KINDS:
            known[kind].update(set(items[kind]))
    report = {}
    for folder in options.real:
        unknown = {kind: collections.Counter() for kind in KINDS}
        weight, whole, texts, skipped = collections.Counter(), collections.Counter(), 0, 0
        classes = {"prompt lines": collections.Counter(), "answer lines": collections.Counter()}
        for row in rows_of(folder):
            items = items_of(row)
            if items is None:
                skipped += 1
                continue
            texts += 1
            for kind in KINDS:
                missing = [item for item in items[kind] if known[kind][item] < options.least]
                share = 1 / max(1, len(items[kind]))
                weight[kind] += len(missing) * share
                whole[kind] += not missing
                for item in missing:
                    unknown[kind][item] += share
                    if kind in classes:
                        classes[kind][kind_of_line(item)] += share
        print(f"\n{folder}: {texts} texts against {pairs} generated pairs ({skipped} that do not parse)")
        print(f"{'':18}{'unknown':>9}{'whole':>9}{'known kinds':>13}")
        for kind in KINDS:
            print(f"{kind:18}{100 * weight[kind] / texts:8.1f}%{100 * whole[kind] / texts:8.1f}%{sum(n >= options.least for n in known[kind].values()):13}")
        report[folder] = {kind: {"unknown": weight[kind] / texts, "whole": whole[kind] / texts} for kind in KINDS}
        for kind in classes:
            print(f"unknown {kind} by what they are: " + ", ".join(f"{name} {100 * count / texts:.1f}" for name, count in classes[kind].most_common()))
        for kind in KINDS if options.show else ():
            print(f"-- {kind}: the most missed, in hundredths of a text")
            for item, count in unknown[kind].most_common(options.show):
                print(f"{100 * count / texts:8.3f}  {known[kind][item]:5}  {item!r}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
