#!/usr/bin/env python3
"""Our tokenizer against Hugging Face's, string by string. See scripts/check_tokenizer.sh, which runs it with everything.

    compare_tokenizers.py PROGRAM TOKENIZER_JSON --strings N [--seed S] [--standard-library]
    compare_tokenizers.py PROGRAM --smollm2 MODEL.gguf ...        (the tokenizer is made from the file's metadata)
    compare_tokenizers.py PROGRAM TOKENIZER_JSON --flags ...      (with added tokens of every kind put in)
    compare_tokenizers.py PROGRAM TOKENIZER_JSON --auto ...       (as transformers' AutoTokenizer loads it from its folder)

Exit code 1 if anything differs."""

import argparse
import array
import itertools
import json
import os
import struct
import subprocess
import sys
import tempfile

os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
import tokenizers  # noqa: E402
from tokenizer_fuzz import fuzz_strings, standard_library  # noqa: E402

BATCH = 20000


def ours(program, verb, path, strings):
    """[(ids, decoded text, stream agreed)] of our program."""
    data = b"".join(struct.pack("=I", len(s)) + s for s in strings)
    out = subprocess.run([program, verb, path], input=data, stdout=subprocess.PIPE, check=True).stdout
    at, answers = 0, []
    for _ in strings:
        (count,) = struct.unpack_from("=I", out, at)
        ids = array.array("i", out[at + 4:at + 4 + 4 * count])
        at += 4 + 4 * count
        (length,) = struct.unpack_from("=I", out, at)
        text = out[at + 4:at + 4 + length]
        at += 4 + length
        (same,) = struct.unpack_from("=I", out, at)
        at += 4
        answers.append((ids, text, same == 1))
    assert at == len(out)
    return answers


def smollm2_json(gguf):
    """A tokenizer.json like SmolLM2's own, from what the GGUF file says."""
    from gguf import GGUFReader

    fields = GGUFReader(gguf).fields
    tokens, types, merges = (fields["tokenizer.ggml." + name].contents() for name in ("tokens", "token_type", "merges"))
    assert fields["tokenizer.ggml.pre"].contents() == "smollm"
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return {
        "version": "1.0", "truncation": None, "padding": None, "normalizer": None, "post_processor": None, "decoder": byte_level,
        "added_tokens": [{"id": i, "content": t, **flags} for i, (t, kind) in enumerate(zip(tokens, types)) if kind == 3],
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, byte_level]},
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
                  "fuse_unk": False, "byte_fallback": False, "vocab": {t: i for i, t in enumerate(tokens)}, "merges": merges},
    }


def with_flags(document):
    """The same tokenizer with added tokens of every kind, normalised ones among them."""
    next_id = max(itertools.chain(document["model"]["vocab"].values(), (t["id"] for t in document["added_tokens"]))) + 1
    kinds = [("[strip_both]", "lstrip rstrip"), ("[strip_left]", "lstrip special"), ("[strip_right]", "rstrip"), ("alone", "single_word"),
             ("\u00c5ngstrom", "normalized"), ("e\u0301", "normalized single_word"), ("[strip", ""), ("  ", "normalized"), ("\n\n", "special"),
             ("'s", "normalized single_word lstrip")]
    names = ("single_word", "lstrip", "rstrip", "normalized", "special")
    for content, flags in kinds:
        known = document["model"]["vocab"].get(content)  # such a token keeps its id
        document["added_tokens"].append({"id": next_id if known is None else known, "content": content, **{n: n in flags.split() for n in names}})
        next_id += known is None
    return document


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("tokenizer", nargs="?")
    parser.add_argument("--smollm2")
    parser.add_argument("--flags", action="store_true")
    parser.add_argument("--auto", action="store_true")
    parser.add_argument("--ordinary", action="store_true", help="special tokens inside the text are ordinary text")
    parser.add_argument("--strings", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--standard-library", action="store_true")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        path = arguments.tokenizer
        if arguments.smollm2 or arguments.flags:
            document = smollm2_json(arguments.smollm2) if arguments.smollm2 else json.load(open(path))
            path = os.path.join(folder, "tokenizer.json")
            json.dump(with_flags(document) if arguments.flags else document, open(path, "w"))
        if arguments.auto:
            from transformers import AutoTokenizer

            loaded = AutoTokenizer.from_pretrained(os.path.dirname(path))
            theirs = loaded.backend_tokenizer
            chat = loaded.apply_chat_template([{"role": "user", "content": "hi"}], tokenize=False, add_generation_prompt=True)
            print(f"  {type(loaded).__name__} of {len(loaded)} tokens, eos {loaded.eos_token}, pad {loaded.pad_token}, chat {chat!r}")
        else:
            theirs = tokenizers.Tokenizer.from_file(path)
        theirs.encode_special_tokens = arguments.ordinary
        verb = "ordinary" if arguments.ordinary else "encode"
        # Such tokens it writes as bytes when decoding, because their letters are also letters of the byte alphabet.
        garbled = {i for i, t in theirs.get_added_tokens_decoder().items() if not t.content.isascii()}

        def batches():
            if arguments.standard_library:
                files = standard_library()
                for start in range(0, len(files), 200):
                    yield "files of the standard library", [p.read_bytes() for p in files[start:start + 200]]
            strings = fuzz_strings(arguments.seed)
            for start in range(0, arguments.strings, BATCH):
                yield "fuzzed strings", list(itertools.islice(strings, min(BATCH, arguments.strings - start)))

        totals, shown = {}, 0
        for name, strings in batches():
            total = totals.setdefault(name, {"strings": 0, "bytes": 0, "tokens": 0, "ids": 0, "text": 0, "stream": 0})
            texts = [s.decode(errors="replace") for s in strings]
            expected = [e.ids for e in theirs.encode_batch_fast(texts, add_special_tokens=False)]
            decoded = theirs.decode_batch(expected, skip_special_tokens=False)
            for string, (ids, text, streamed), want, want_text in zip(strings, ours(arguments.program, verb, path, strings), expected, decoded):
                total["strings"] += 1
                total["bytes"] += len(string)
                total["tokens"] += len(want)
                differs = list(ids) != want
                total["ids"] += differs
                total["text"] += text.decode() != want_text and garbled.isdisjoint(want)
                total["stream"] += not streamed
                if differs and shown < 5:
                    shown += 1
                    print(f"  differs: {string[:300]!r}\n    ours   {list(ids)[:60]}\n    theirs {want[:60]}")
        failed = False
        for name, t in totals.items():
            failed |= t["ids"] + t["text"] + t["stream"] > 0
            print(f"  {t['strings']} {name} ({t['bytes'] / 1e6:.1f} MB, {t['tokens']} tokens): {t['ids']} differ in ids, "
                  f"{t['text']} in decoded text, {t['stream']} when decoded token by token", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
