"""Strings that make tokenizers disagree. fuzz_strings(seed) yields bytes without end; the same seed, the same strings."""

import random
import sysconfig
from pathlib import Path

SPACES = [chr(c) for c in (0x20, 0x20, 0x20, 0x20, 0x0A, 0x0A, 0x0D, 0x09, 0x0B, 0x0C, 0x1C, 0x1D, 0x1E, 0x1F, 0x85, 0xA0, 0x1680, 0x180E,
                           *range(0x2000, 0x200E), 0x2028, 0x2029, 0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF)]
MARKS = [*range(0x300, 0x370), *range(0x483, 0x488), *range(0x591, 0x5C8), *range(0x610, 0x61B), *range(0x64B, 0x660),
         *range(0x6D6, 0x6EE), *range(0x711, 0x74B), *range(0x898, 0x900), 0x93C, 0x94D, 0x9BC, 0x9BE, 0x9CD, 0x9D7, 0xA3C, 0xB3E,
         0xB56, 0xB57, 0xBBE, 0xBD7, 0xC56, 0xCC2, 0xCD5, 0xCD6, 0xD3E, 0xD57, 0xDCA, 0xDCF, 0xDDF, *range(0xE38, 0xE3B),
         *range(0xEB8, 0xEBC), *range(0xF71, 0xF88), 0x102E, 0x135D, *range(0x1AB0, 0x1AF0), 0x1B34, 0x1B35, *range(0x1DC0, 0x1E00),
         *range(0x20D0, 0x20F1), *range(0x2DE0, 0x2E00), *range(0x302A, 0x3030), 0x3099, 0x309A, *range(0xA66F, 0xA67E),
         *range(0xA8E0, 0xA8F2), *range(0xFE20, 0xFE30), 0x101FD, 0x110BA, 0x11127, 0x1133E, 0x11357, 0x114B0, 0x114BA, 0x114BD,
         0x115AF, 0x11930, *range(0x1D165, 0x1D16A), *range(0x1E000, 0x1E02B), *range(0x1E8D0, 0x1E8D7), *range(0x1E944, 0x1E94B)]
BASES = [ord(c) for c in "aAeEiIoOuUnNcCsSzZyYdDlL"] + [0xE9, 0xC5, 0x1EA0, 0x3B1, 0x3C9, 0x415, 0x418, 0x627, 0x5D0, 0x928, 0x9A1, 0xB92,
                                                      0x1100, 0x304B, 0x30CF, 0xAC00, 0x212B, 0x2126, 0x1D15E, 0xFB1D, 0xF900, 0x2F800]
JAMO = [*range(0x1100, 0x1200), *range(0xA960, 0xA980), *range(0xD7B0, 0xD800), *range(0xAC00, 0xAC40), 0xD7A3, 0xD788]
DIGITS = [*range(0x30, 0x3A), 0xB2, 0xBD, *range(0x660, 0x66A), *range(0x966, 0x970), *range(0x9F4, 0x9FA), 0xF2A, 0x1369, 0x2070,
          *range(0x2150, 0x218C), *range(0x2460, 0x2480), 0x3007, *range(0x3021, 0x302A), 0x3192, 0xA620, *range(0xFF10, 0xFF1A), 0x10107,
          0x10D40, 0x11DE0, 0x11DE5, 0x16FF4, 0x1CCF0, 0x1D7CE, 0x1E140, 0x1F100, 0x1FBF0]
# Beginnings of ranges that some version of Unicode assigned lately: versions of tables differ there.
NEW = [0x870, 0x88F, 0x897, 0xC5D, 0xCDD, 0x1C89, 0x1DFA, 0x2C2F, 0xA7C0, 0xA7CB, 0xA7D2, 0xA7DA, 0x10570, 0x105C0, 0x10780, 0x10D50, 0x10D69,
       0x10EC2, 0x10F70, 0x11070, 0x11240, 0x11380, 0x113C0, 0x116D0, 0x11B00, 0x11BC0, 0x11DB0, 0x11F00, 0x12F90, 0x13460, 0x14400, 0x16100,
       0x16A70, 0x16D40, 0x16EA0, 0x18CFF, 0x1AFF0, 0x1B11F, 0x1CC00, 0x1DF00, 0x1E290, 0x1E4D0, 0x1E5D0, 0x1E7E0, 0x2B739, 0x2EBF0, 0x31350,
       0x323B0, 0x33479, 0x3347F]
SPECIALS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|file_sep|>",
            "<repo_name>", "<reponame>", "<file_sep>", "<gh_stars>", "<jupyter_text>", "<empty_output>", "<|im_", "<|", "|>", "<|im_start", "im_end|>",
            "<<|im_end|>>", "<|im_start|>assistant\n", "<|eot_id|>", "[strip_both]", "[strip_left]", "[strip_right]", "alone", "\u00c5ngstrom", "A\u030angstrom",
            "\u212bngstrom", "  ", "\n\n"]
CONTRACTIONS = ["'" + x for x in ("s", "S", "t", "T", "m", "M", "d", "D", "re", "Re", "rE", "RE", "ve", "vE", "VE", "ll", "Ll", "lL", "LL", "\u017f", "x",
                                  "r", "l", "v", "\u212a", "st", "\u017ft", "\u2019s")] + ["\u2019s", "''s", "' s", "'", "''"]


def standard_library():
    folder = Path(sysconfig.get_paths()["stdlib"])
    return sorted(p for p in folder.rglob("*.py") if "site-packages" not in p.parts and "dist-packages" not in p.parts)


def _valid(c):
    return c if not 0xD800 <= c <= 0xDFFF else c - 0x800


class Fuzzer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        files = [p.read_text(errors="replace") for p in standard_library()[::25]]
        self.code = "\n".join(files)
        self.words = sorted(set(self.code[:400000].split()))
        self.parts = [self.any_plane, self.low_planes, self.new_characters, self.marks, self.jamo, self.spaces, self.special, self.contraction,
                      self.digits, self.source, self.word, self.word, self.ascii, self.latin]

    def pick(self, items, most):
        return self.random.choices(items, k=self.random.randint(1, most))

    def any_plane(self):
        return "".join(chr(_valid(self.random.randrange(0x110000))) for _ in range(self.random.randint(1, 12)))

    def low_planes(self):
        start = _valid(self.random.randrange(0x30000))
        return "".join(chr(_valid(start + self.random.randrange(64))) for _ in range(self.random.randint(1, 12)))

    def new_characters(self):
        return "".join(chr(c + self.random.randrange(24)) for c in self.pick(NEW, 5))

    def marks(self):
        return "".join(chr(self.random.choice(BASES)) * self.random.randint(0, 1) + "".join(map(chr, self.pick(MARKS, 5)))
                       for _ in range(self.random.randint(1, 4)))

    def jamo(self):
        return "".join(map(chr, map(_valid, self.pick(JAMO, 8))))

    def spaces(self):
        if self.random.random() < 0.3:
            return self.random.choice(" \n\t\r") * self.random.randint(1, 40)
        return "".join(self.pick(SPACES, 8))

    def special(self):
        return self.random.choice(SPECIALS)

    def contraction(self):
        return self.random.choice(self.words)[:6] + self.random.choice(CONTRACTIONS) + self.random.choice(["", " ", "x", "\n"])

    def digits(self):
        return "".join(map(chr, self.pick(DIGITS, 8)))

    def source(self):
        at = self.random.randrange(len(self.code))
        return self.code[at:at + self.random.randint(1, 80)]

    def word(self):
        return self.random.choice(["", " ", " "]) + self.random.choice(self.words)

    def ascii(self):
        return "".join(chr(self.random.randrange(128)) for _ in range(self.random.randint(1, 10)))

    def latin(self):
        return "".join(chr(self.random.randrange(0xA0, 0x500)) for _ in range(self.random.randint(1, 10)))

    def invalid(self, text):
        data = bytearray(text.encode())
        for _ in range(self.random.randint(1, 4)):
            at = self.random.randrange(len(data) + 1)
            what = self.random.randrange(3)
            if what == 0:
                data[at:at] = bytes(self.random.choices([0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xA0, 0xF0, 0x90, 0xF4, 0xF5, 0xFF], k=self.random.randint(1, 3)))
            elif what == 1:
                del data[at:at + self.random.randint(1, 2)]
            else:
                del data[at:]
        return bytes(data)

    def string(self):
        roll = self.random.random()
        if roll < 0.0005:  # words without a split, long
            unit = self.random.choice(["a", "ab", self.random.choice(self.words), "\u4e2d\u6587", "=", " ", "\U0001F600", "e\u0301"])
            return (unit * self.random.randint(200, 4000)).encode()
        text = "".join(self.random.choice(self.parts)() for _ in range(self.random.randint(1, 7)))
        return self.invalid(text) if roll < 0.08 else text.encode()


def fuzz_strings(seed):
    fuzzer = Fuzzer(seed)
    while True:
        yield fuzzer.string()
