#!/usr/bin/env python3
"""Writes src/text/tokenizer/unicode_tables.cpp.

Every table is asked of Hugging Face's `tokenizers` itself, code point by code point: its regex engines and its NFC each
carry a Unicode version of their own, and token ids depend on them.

    $TRITONRL_REFERENCE_PYTHON scripts/make_unicode_tables.py [output]
"""

import sys
from pathlib import Path

import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers

PROBE = "\ue000\ue001"  # an added token; of two different characters, so that it is never found one character early
CODE_POINTS = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]
HANGUL_SYLLABLES = range(0xAC00, 0xAC00 + 11172)


def matching(pattern):
    """The code points that one-character `pattern` matches in a Split step."""
    split = pre_tokenizers.Split(Regex(pattern), "removed")
    kept = set()
    for piece, _ in split.pre_tokenize_str("".join(map(chr, CODE_POINTS))):
        kept.update(map(ord, piece))
    return set(CODE_POINTS) - kept


def isolated_digits():
    digits = pre_tokenizers.Digits(individual_digits=True)
    text = "".join(chr(c) + "a" for c in CODE_POINTS)
    return {ord(piece) for piece, _ in digits.pre_tokenize_str(text) if len(piece) == 1 and piece != "a"}


def tokenizer_with(token):
    result = Tokenizer(models.BPE(vocab={}, merges=[]))
    result.add_tokens([token])
    return result


def word_characters():
    """Characters beside which an added token with single_word is not found."""
    tokenizer = tokenizer_with(AddedToken(PROBE, single_word=True, normalized=False))
    found = tokenizer.encode_batch_fast([chr(c) + PROBE for c in CODE_POINTS])
    return {c for c, encoding in zip(CODE_POINTS, found) if not encoding.ids}


def stripped_spaces():
    """Characters that an added token with lstrip takes."""
    tokenizer = tokenizer_with(AddedToken(PROBE, lstrip=True, normalized=False))
    found = tokenizer.encode_batch([chr(c) + PROBE for c in CODE_POINTS])
    return {c for c, encoding in zip(CODE_POINTS, found) if encoding.offsets[0][0] == 0}


def combining_classes(nfd):
    """Code point -> a number that orders marks as their combining classes do; absent for starters.

    Two marks behind a letter change places if the first has the higher class. The real values are not visible from
    outside; their order is all that normalisation needs."""

    def swaps(first, second):
        return first != second and nfd("a" + chr(first) + chr(second)) == "a" + chr(second) + chr(first)

    lowest, highest = 0x0334, 0x0345  # classes 1 and 240, the ends of the range
    undecomposed = [c for c in CODE_POINTS if nfd(chr(c)) == chr(c)]
    marks = [c for c in undecomposed if swaps(c, lowest) or swaps(highest, c)]
    marks = sorted(set(marks) | {lowest, highest})
    assert lowest in marks and highest in marks
    representatives = []  # one a class, ascending

    def place(mark):
        low, high = 0, len(representatives)
        while low < high:
            middle = (low + high) // 2
            if swaps(mark, representatives[middle]):
                low = middle + 1
            else:
                high = middle
        return low

    for mark in marks:
        index = place(mark)
        if index == len(representatives) or swaps(representatives[index], mark):
            representatives.insert(index, mark)
    return {mark: place(mark) + 1 for mark in marks}


def ranges(code_points):
    result = []
    for c in sorted(code_points):
        if result and result[-1][1] == c - 1:
            result[-1][1] = c
        else:
            result.append([c, c])
    return result


def rows(items):
    """Lines of 120 columns at most."""
    lines, line = [], "   "
    for item in items:
        if len(line) + 1 + len(item) > 118:
            lines.append(line)
            line = "   "
        line += " " + item + ","
    return "\n".join(lines + [line])


def range_table(name, code_points):
    items = [f"{{0x{a:X}, 0x{b:X}}}" for a, b in ranges(code_points)]
    return f"const CodePointRange kRanges{name}[] = {{\n{rows(items)}\n}};\n", name


def main():
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "src/text/tokenizer/unicode_tables.cpp"
    nfc, nfd = normalizers.NFC().normalize_str, normalizers.NFD().normalize_str

    classes = combining_classes(nfd)
    decompositions = {c: [ord(x) for x in nfd(chr(c))] for c in CODE_POINTS
                      if c not in HANGUL_SYLLABLES and nfd(chr(c)) != chr(c)}
    compositions = []
    for c, parts in decompositions.items():
        if nfc(chr(c)) != chr(c):
            continue
        first = nfc("".join(map(chr, parts[:-1])))
        assert len(first) == 1 and nfc(first + chr(parts[-1])) == chr(c), hex(c)
        compositions.append((ord(first), parts[-1], c))
    compositions.sort()
    jamo = set(range(0x1161, 0x1176)) | set(range(0x11A8, 0x11C3))
    touched = {c for c in CODE_POINTS if nfc(chr(c)) != chr(c)} | set(classes) | {s for _, s, _ in compositions} | jamo

    tables = [
        range_table("Letter", matching(r"\p{L}")),
        range_table("Number", matching(r"\p{N}")),
        range_table("Space", matching(r"\s")),
        range_table("IsolatedDigit", isolated_digits()),
        range_table("Word", word_characters()),
        range_table("StrippedSpace", stripped_spaces()),
        range_table("TouchedByNfc", touched),
    ]
    by_class = []
    for c in sorted(classes):
        if by_class and by_class[-1][1] == c - 1 and by_class[-1][2] == classes[c]:
            by_class[-1][1] = c
        else:
            by_class.append([c, c, classes[c]])
    pool, entries = [], []
    for c in sorted(decompositions):
        entries.append(f"{{0x{c:X}, {len(pool)}, {len(decompositions[c])}}}")
        pool += decompositions[c]

    out = [
        "// Made by scripts/make_unicode_tables.py (run it with a Python that has Hugging Face's `tokenizers` to make it anew),",
        f"// by asking tokenizers {tokenizers.__version__} about every code point. Not to be edited by hand.",
        "// clang-format off",
        '#include "text/tokenizer/unicode_tables.h"',
        "",
        "namespace tritonrl::text {",
        "namespace {",
        "",
    ]
    out += [text for text, _ in tables]
    out.append("const CombiningRange kCombining[] = {\n" + rows(f"{{0x{a:X}, 0x{b:X}, {k}}}" for a, b, k in by_class) + "\n};\n")
    out.append("const char32_t kDecomposed[] = {\n" + rows(f"0x{c:X}" for c in pool) + "\n};\n")
    out.append("const Decomposition kDecompositions[] = {\n" + rows(entries) + "\n};\n")
    out.append("const Composition kCompositions[] = {\n" + rows(f"{{0x{a:X}, 0x{b:X}, 0x{c:X}}}" for a, b, c in compositions) + "\n};\n")
    out.append("}  // namespace\n")
    names = ["letters", "numbers", "spaces", "isolated_digits", "word_characters", "stripped_spaces", "touched_by_nfc"]
    for function, (_, name) in zip(names, tables):
        out.append(f"std::span<const CodePointRange> UnicodeTables::{function}() {{ return kRanges{name}; }}")
    out.append("std::span<const CombiningRange> UnicodeTables::combining() { return kCombining; }")
    out.append("std::span<const char32_t> UnicodeTables::decomposed() { return kDecomposed; }")
    out.append("std::span<const Decomposition> UnicodeTables::decompositions() { return kDecompositions; }")
    out.append("std::span<const Composition> UnicodeTables::compositions() { return kCompositions; }")
    out.append("\n}  // namespace tritonrl::text\n")
    output.write_text("\n".join(out))
    print(f"{output}: {len(classes)} marks in {max(classes.values())} classes, {len(decompositions)} decompositions, "
          f"{len(compositions)} compositions")


if __name__ == "__main__":
    main()
