#!/usr/bin/env python3
"""Writes made-up rows in KernelBook's published schema, of its size (about 24 KB a row), for measurements and tests.

    scripts/make_synthetic_kernelbook.py OUT --rows 18162 --format parquet --compression zstd
    scripts/make_synthetic_kernelbook.py --goldens     # the small files of tests/data/rows/goldens and tests/fuzz/parquet

The rows depend on --seed, --rows and --bad alone, so that the three formats hold the same ones. Rows are streamed: memory
grows with --row-group, not with --rows. Parquet needs pyarrow."""

import argparse
import json
import os
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from synthetic_kernels import triton_files  # noqa: E402
from synthetic_modules import ADJECTIVES, python_file  # noqa: E402

COLUMNS = [
    "python_code",
    "triton_code",
    "original_triton_code",
    "entry_point",
    "module_name",
    "repo_name",
    "licenses",
    "stars",
    "sha",
    "repo_link",
    "synthetic",
    "uuid",
]
BROKEN = "\ue000"  # stands for a byte that is no UTF-8; no text here has it
LICENCES = (
    [["MIT"]] * 60 + [["Apache-2.0"]] * 22 + [["BSD-3-Clause"]] * 8 + [["GPL-3.0"]] * 5 + [["MIT", "Apache-2.0"]] * 3 + [[]] * 2
)
BAD_KINDS = ["null_python", "null_triton", "broken_utf8", "ten_megabytes", "empty_python", "no_python", "null_licenses"]


def near_copy(r, row):
    """The same module with another name and other constants."""
    copy, new_name = dict(row), row["entry_point"] + r.choice(["V2", "Ex", "B", "Copy", "_"])
    for column in ("python_code", "triton_code", "original_triton_code"):
        copy[column] = row[column].replace(row["entry_point"], new_name)
    if r.random() < 0.5:
        copy["python_code"] = re.sub(r"\b(hidden|width|channels|dim)\b", lambda m: m.group(1) + "_size", copy["python_code"])
    else:
        copy["python_code"] = copy["python_code"].replace("0.1", "0.15").replace("64", "48").replace("32", "24")
    copy["entry_point"] = copy["module_name"] = new_name
    return copy


def spoil(row, kind):
    row = dict(row)
    if kind == "null_python":
        row["python_code"] = None
    elif kind == "null_triton":
        row["triton_code"] = None
    elif kind == "broken_utf8":
        row["python_code"] += "# caf" + BROKEN + "\n"
    elif kind == "ten_megabytes":
        row["triton_code"] += "# padding\n" * (1 << 20)
    elif kind == "empty_python":
        row["python_code"] = ""
    elif kind == "no_python":
        row["python_code"] = "class Broken(nn.Module:\n    def forward(self, x)\n        return x ===\n"
    elif kind == "null_licenses":
        row["licenses"] = None
    return row


def rows(options):
    r = random.Random(options.seed)
    owners = [f"{r.choice(ADJECTIVES).lower()}{r.randrange(10000)}" for _ in range(2500)]
    repositories = [
        f"{r.choice(owners)}/{r.choice(ADJECTIVES).lower()}-{r.choice(['torch', 'net', 'rl', 'vision', 'nlp', 'lab'])}{r.randrange(100)}"
        for _ in range(4000)
    ]
    earlier = []
    for number in range(options.rows):
        draw = r.random()
        if earlier and draw < 0.03:
            row = dict(r.choice(earlier))
        elif earlier and draw < 0.08:
            row = near_copy(r, r.choice(earlier))
        else:
            python, name, _ = python_file(r)
            kernels = 1 if options.small else max(1, min(24, round(r.lognormvariate(1.45, 0.55))))
            triton, original = triton_files(r, python, name, kernels)
            row = {
                "python_code": python,
                "triton_code": triton,
                "original_triton_code": original,
                "entry_point": name,
                "module_name": name,
            }
            earlier.append(row)
            if len(earlier) > 256:
                earlier.pop(r.randrange(128))
        repository, sha = r.choice(repositories), f"{r.getrandbits(160):040x}"
        row = {
            **row,
            "repo_name": repository,
            "licenses": r.choice(LICENCES),
            "stars": int(r.paretovariate(0.8)) - 1,
            "sha": sha,
            "repo_link": f"https://github.com/{repository}/tree/{sha}",
            "synthetic": r.random() < 0.05,
            "uuid": number,
        }
        if options.bad and number % 50 == 7:
            kind = BAD_KINDS[number // 50 % len(BAD_KINDS)]
            # a long text in each tenth thousand is enough; more would only make the file larger
            row = spoil(row, "null_python" if kind == "ten_megabytes" and number % 10000 > 400 else kind)
        yield {column: row[column] for column in COLUMNS if column not in options.drop_column}


def as_json(row):
    return json.dumps(row, ensure_ascii=False, allow_nan=False).encode().replace(BROKEN.encode(), b"\xe9")


def write_json(options):
    with open(options.out, "wb") as out:
        for number, row in enumerate(rows(options)):
            if options.format == "json":
                out.write(b"[" if number == 0 else b",\n")
            out.write(as_json(row))
            if options.format == "jsonl":
                out.write(b"\n")
        if options.format == "json":
            out.write(b"]\n" if options.rows else b"[]\n")


def text_array(pa, texts, kind):
    """A text column that may hold bytes that are no UTF-8, which pa.array would refuse."""
    encoded = pa.array([None if t is None else t.encode().replace(BROKEN.encode(), b"\xe9") for t in texts], pa.binary())
    return pa.Array.from_buffers(kind, len(encoded), encoded.buffers(), encoded.null_count)


def write_parquet(options):
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {"licenses": pa.list_(pa.string()), "stars": pa.int64(), "synthetic": pa.bool_(), "uuid": pa.int64()}
    schema = pa.schema([(c, kinds.get(c, pa.string())) for c in COLUMNS if c not in options.drop_column])
    # pandas writes one row group whatever its size; --row-group 0 does the same and then holds all rows
    group = options.row_group or options.rows or 1
    with pq.ParquetWriter(options.out, schema, compression=options.compression, use_dictionary=options.dictionary) as writer:
        pending, batches = [], []

        def close_batch():
            columns = [
                (
                    text_array(pa, [row[f.name] for row in pending], f.type)
                    if f.type == pa.string()
                    else pa.array([row[f.name] for row in pending], f.type)
                )
                for f in schema
            ]
            batches.append(pa.RecordBatch.from_arrays(columns, schema=schema))
            pending.clear()

        def close_group():
            if pending:
                close_batch()
            if batches:
                writer.write_table(pa.Table.from_batches(batches), row_group_size=group)
            batches.clear()

        for number, row in enumerate(rows(options), start=1):
            pending.append(row)
            if len(pending) == 1000:  # well below the 2 GB that one array can hold
                close_batch()
            if number % group == 0:
                close_group()
        close_group()


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", nargs="?")
    parser.add_argument("--rows", type=int, default=18162)
    parser.add_argument("--format", choices=["parquet", "json", "jsonl"], default="parquet")
    parser.add_argument("--compression", default="zstd", help="of parquet: zstd, snappy, gzip, brotli, lz4 or none")
    parser.add_argument(
        "--row-group",
        type=int,
        default=20000,
        help="rows a row group of parquet; 0: all rows in one, as pandas does up to a million",
    )
    parser.add_argument(
        "--dictionary", action=argparse.BooleanOptionalAction, default=True, help="let parquet use dictionary pages"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--bad", action="store_true", help="one row in fifty cannot be used: null code, broken UTF-8, 10 MB of text, ..."
    )
    parser.add_argument("--drop-column", action="append", default=[], metavar="NAME")
    parser.add_argument("--small", action="store_true", help="one kernel a row, for small files")
    parser.add_argument("--goldens", action="store_true", help="write tests/data/rows/goldens instead")
    options = parser.parse_args(arguments)
    if not options.out and not options.goldens:
        parser.error("name the file to write")
    return options


def main():
    options = parse(sys.argv[1:])
    if options.goldens:
        from synthetic_goldens import write_goldens

        write_goldens(
            pathlib.Path(__file__).parent.parent / "tests/data/rows/goldens",
            lambda *arguments: write(parse([str(a) for a in arguments])),
        )
        return
    write(options)
    print(f"{options.out}: {options.rows} rows, {os.path.getsize(options.out) / 1e6:.1f} MB")


def write(options):
    (write_parquet if options.format == "parquet" else write_json)(options)


if __name__ == "__main__":
    main()
