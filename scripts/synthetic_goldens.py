"""The small files of tests/data/rows/goldens: the same rows in every format and compression, every type of column, damage.
Called by make_synthetic_kernelbook.py --goldens."""

import json


def write_types(folder):
    """One column a type, two rows and a row of nulls; the .jsonl beside it holds what a reader should see."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts, numbers = ["a", "täglich \U0001f600", None], [1, -7, None]
    lists = [["MIT", "Apache-2.0"], [], None]
    columns = {
        "text": pa.array(texts),
        "large_text": pa.array(texts, pa.large_string()),
        "bytes": pa.array([t and t.encode() for t in texts], pa.binary()),
        "large_bytes": pa.array([t and t.encode() for t in texts], pa.large_binary()),
        "choice": pa.array(texts).dictionary_encode(),
        "text_view": pa.array(texts, pa.string_view()),
        "list": pa.array(lists, pa.list_(pa.string())),
        "large_list": pa.array(lists, pa.large_list(pa.large_string())),
        "empty_list": pa.array([[], [], None], pa.list_(pa.null())),
        "nothing": pa.nulls(3),
        "yes": pa.array([True, False, None]),
        "real": pa.array([0.5, 3.0, None], pa.float64()),
        "nan": pa.array([float("nan"), 1e300, None], pa.float64()),
        "real32": pa.array([0.5, -3.0, None], pa.float32()),
        "half": pa.array([0.5, -3.0, None], pa.float16()),
        "far": pa.array([2**63 + 2**11, 5, None], pa.uint64()),
    }
    for bits in (8, 16, 32, 64):
        columns[f"int{bits}"] = pa.array(numbers, getattr(pa, f"int{bits}")())
        columns[f"uint{bits}"] = pa.array([200, 3, None], getattr(pa, f"uint{bits}")())
    pq.write_table(pa.table(columns), folder / "types.parquet", compression="zstd")
    with open(folder / "types.jsonl", "w") as out:
        for i in range(3):
            row = {name: column[i].as_py() for name, column in columns.items()}
            row = {
                name: value.decode() if isinstance(value, bytes) else None if value != value else value
                for name, value in row.items()
            }
            out.write(json.dumps(row) + "\n")
    # what no row of ours can hold
    strange = {
        "text": pa.array(texts),
        "struct": pa.array([{"a": 1}, None, {"a": 2}]),
        "time": pa.array([0, 1, None], pa.timestamp("s")),
        "numbers": pa.array([[1], None, []], pa.list_(pa.int64())),
        "holes": pa.array([["a", None], ["b"], None], pa.list_(pa.string())),
        "map": pa.array([[("a", "b")], None, []], pa.map_(pa.string(), pa.string())),
    }
    pq.write_table(pa.table(strange), folder / "strange_types.parquet", compression="zstd")
    with open(folder / "strange_types.jsonl", "w") as out:
        for row in (
            {"text": "a", "struct": {"a": 1}, "numbers": [1], "holes": ["a", None]},
            {"text": texts[1], "struct": None, "numbers": None, "holes": ["b"]},
            {"text": None, "struct": {"a": 2}, "numbers": [], "holes": None},
        ):
            out.write(json.dumps(row) + "\n")


def write_fuzz_seeds(folder):
    """As small as parquet files can be, so that a changed byte matters."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    table = pa.table(
        {
            "python_code": ["x = 1\n", None, "y = 2\n", "x = 1\n"],
            "licenses": [["MIT"], [], None, ["MIT", "BSD"]],
            "stars": [1, None, 3, 4],
        }
    )
    for name, options in {
        "plain": {"compression": "none", "use_dictionary": False},
        "dictionary": {"compression": "snappy"},
        "zstd": {"compression": "zstd", "row_group_size": 2},
        "checked": {"compression": "gzip", "write_page_checksum": True, "data_page_version": "2.0"},
    }.items():
        pq.write_table(table, folder / f"{name}.parquet", write_statistics=False, store_schema=name == "dictionary", **options)


def damage(source, target, group, column):
    """A copy whose data of one column in one row group are overwritten."""
    import pyarrow.parquet as pq

    chunk = pq.ParquetFile(source).metadata.row_group(group).column(column)
    data = bytearray(source.read_bytes())
    begin = chunk.dictionary_page_offset + 64  # behind the page's head
    data[begin : begin + 24] = b"\xa5" * 24
    target.write_bytes(bytes(data))


def write_goldens(folder, write):
    folder.mkdir(parents=True, exist_ok=True)
    same = ["--rows", 8, "--seed", 11, "--small"]
    for name in ("json", "jsonl"):
        write(folder / f"rows.{name}", "--format", name, *same)
    for compression in ("zstd", "snappy", "gzip", "brotli", "lz4", "none"):
        write(folder / f"rows_{compression}.parquet", "--compression", compression, *same)
    write(folder / "groups.parquet", "--row-group", 3, *same)
    damage(folder / "groups.parquet", folder / "damaged_group.parquet", 1, 1)
    write(folder / "no_triton_code.parquet", "--drop-column", "triton_code", *same)
    write_types(folder)
    write_fuzz_seeds(folder.parent.parent.parent / "fuzz/parquet")
