"""The other side of tokenizer_speed.cpp: Hugging Face's tokenizers in one thread.

    tokenizer_speed.py corpus FOLDER           writes code.bin and prose.bin: documents, each behind four bytes of length
    tokenizer_speed.py time TOKENIZER CORPUS   prints the processor seconds of its fastest way through the corpus, and the tokens
"""

import os
import struct
import sys
import sysconfig
import time
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"


def write(path, texts):
    path.write_bytes(b"".join(struct.pack("=I", len(t)) + t for t in (t.encode() for t in texts)))


def corpus(folder):
    library = Path(sysconfig.get_paths()["stdlib"])
    files = sorted(p for p in library.rglob("*.py") if "site-packages" not in p.parts and "dist-packages" not in p.parts)
    write(folder / "code.bin", [p.read_text(errors="replace") for p in files[::4]])
    from pydoc_data import topics  # the language reference, in English sentences

    write(folder / "prose.bin", list(topics.topics.values()) * 4)


def measure(tokenizer_path, corpus_path):
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_file(tokenizer_path)
    data, at, texts = Path(corpus_path).read_bytes(), 0, []
    while at < len(data):
        (length,) = struct.unpack_from("=I", data, at)
        texts.append(data[at + 4:at + 4 + length].decode())
        at += 4 + length

    def one_by_one():
        return sum(len(tokenizer.encode(t, add_special_tokens=False).ids) for t in texts)

    def batch():
        return sum(len(e.ids) for e in tokenizer.encode_batch(texts, add_special_tokens=False))

    def fast_batch():  # without offsets
        return sum(len(e.ids) for e in tokenizer.encode_batch_fast(texts, add_special_tokens=False))

    one_by_one()  # fills its cache of words
    best = None
    for way in (one_by_one, batch, fast_batch):
        start = time.process_time()
        tokens = way()
        seconds = time.process_time() - start
        best = seconds if best is None else min(best, seconds)
    print(best, tokens)


if __name__ == "__main__":
    if sys.argv[1] == "corpus":
        corpus(Path(sys.argv[2]))
    else:
        measure(sys.argv[2], sys.argv[3])
