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


DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def as_text(numbers):
    """What base::base64_numbers reads."""
    text = ""
    for number in numbers:
        while number >= 32:
            text += DIGITS[32 + number % 32]
            number //= 32
        text += DIGITS[number]
    return text


def table(name, numbers):
    text = as_text(numbers)
    lines = [f'    "{text[i:i + 112]}"' for i in range(0, len(text), 112)]
    return f"const std::string_view UnicodeTables::{name} =\n" + "\n".join(lines) + ";\n"


def set_numbers(code_points):
    numbers, place = [], 0
    for first, last in ranges(code_points):
        numbers += [first - place, last + 1 - first]
        place = last + 1
    return numbers


def combining_numbers(classes):
    numbers, place = [], 0
    for c in sorted(classes):
        if numbers and c == place and numbers[-1] == classes[c]:
            numbers[-2] += 1
        else:
            numbers += [c - place, 1, classes[c]]
        place = c + 1
    return numbers


def decomposition_numbers(decompositions, compositions):
    """A composed character is written as the two that give it, the others as all their parts."""
    pairs = {c: [first, second] for first, second, c in compositions}
    numbers, place, before = [], 0, [0] * 5
    for c in sorted(decompositions):
        parts = pairs.get(c, decompositions[c])
        numbers += [c - place, 2 * len(parts) + (c in pairs)]
        for i, part in enumerate(parts):
            difference = part - before[i]
            numbers.append(2 * difference if difference >= 0 else -2 * difference - 1)
            before[i] = part
        place = c
    return numbers


def write(output, version, sets, classes, decompositions, compositions):
    out = [
        "// Made by scripts/make_unicode_tables.py (run it with a Python that has Hugging Face's `tokenizers` to make it anew),",
        f"// by asking tokenizers {version} about every code point. Not to be edited by hand.",
        "// clang-format off",
        '#include "text/tokenizer/unicode_tables.h"',
        "",
        "namespace tritonrl::text {",
        "",
    ]
    out += [table(name, set_numbers(code_points)) for name, code_points in sets.items()]
    out.append(table("kCombining", combining_numbers(classes)))
    out.append(table("kDecompositions", decomposition_numbers(decompositions, compositions)))
    out.append("}  // namespace tritonrl::text\n")
    output.write_text("\n".join(out))
    print(f"{output}: {len(classes)} marks in {max(classes.values())} classes, {len(decompositions)} decompositions, "
          f"{len(compositions)} compositions")


def main():
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "src/text/tokenizer/unicode_tables.cpp"
    nfc, nfd = normalizers.NFC().normalize_str, normalizers.NFD().normalize_str

    decompositions = {c: [ord(x) for x in nfd(chr(c))] for c in CODE_POINTS
                      if c not in HANGUL_SYLLABLES and nfd(chr(c)) != chr(c)}
    compositions = []
    for c, parts in decompositions.items():
        if nfc(chr(c)) != chr(c):
            continue
        first = nfc("".join(map(chr, parts[:-1])))
        assert len(first) == 1 and nfc(first + chr(parts[-1])) == chr(c), hex(c)
        compositions.append((ord(first), parts[-1], c))
    sets = {
        "kLetters": matching(r"\p{L}"),
        "kNumbers": matching(r"\p{N}"),
        "kSpaces": matching(r"\s"),
        "kIsolatedDigits": isolated_digits(),
        "kWordCharacters": word_characters(),
        "kStrippedSpaces": stripped_spaces(),
    }
    write(output, tokenizers.__version__, sets, combining_classes(nfd), decompositions, compositions)


if __name__ == "__main__":
    main()
