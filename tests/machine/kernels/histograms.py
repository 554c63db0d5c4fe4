"""Counting."""
import numpy as np
import triton
import triton.language as tl

from .case import case


@triton.jit
def histogram_of_block(x_ptr, out_ptr, BLOCK: tl.constexpr, BINS: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.store(out_ptr + tl.arange(0, BINS), tl.histogram(x, BINS))


@case("histograms/histogram_of_block")
def histogram_case(make):
    x, out = make.integers(256, high=32), make.output(32, dtype="int32")
    make.launch(histogram_of_block, 1, x, out, BLOCK=256, BINS=32)
    make.expect(out, np.bincount(x.values, minlength=32))


@triton.jit
def histogram_masked(x_ptr, out_ptr, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    counts = tl.histogram(x, BINS, mask=i < n)
    tl.atomic_add(out_ptr + tl.arange(0, BINS), counts)


@case("histograms/histogram_masked_over_blocks")
def histogram_masked_case(make):
    x, out = make.integers(500, high=16), make.zeros(16, dtype="int32")
    make.launch(histogram_masked, 4, x, out, 500, BLOCK=128, BINS=16)
    make.expect(out, np.bincount(x.values, minlength=16))


@triton.jit
def histogram_of_floats(x_ptr, out_ptr, n, low, width, BLOCK: tl.constexpr, BINS: tl.constexpr):
    counts = tl.zeros((BINS,), tl.int32)
    bins = tl.arange(0, BINS)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n, other=low - 1.0)
        b = tl.floor((x - low) / width).to(tl.int32)
        counts += tl.sum((b[None, :] == bins[:, None]).to(tl.int32), 1)
    tl.store(out_ptr + bins, counts)


@case("histograms/histogram_of_floats_by_comparison")
def histogram_floats_case(make):
    values = make.random.integers(0, 40, 200) * 0.25 - 5 + 0.1  # clear of the edges
    x, out = make.array(values, "float32"), make.output(16, dtype="int32")
    make.launch(histogram_of_floats, 1, x, out, 200, -4.0, 0.5, BLOCK=64, BINS=16)
    make.expect(out, np.histogram(x.values, 16, (-4, 4))[0])


@triton.jit
def count_by_class(label_ptr, predicted_ptr, matrix_ptr, n, CLASSES: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    a = tl.load(label_ptr + i, mask=mask, other=0)
    b = tl.load(predicted_ptr + i, mask=mask, other=0)
    tl.atomic_add(matrix_ptr + a * CLASSES + b, tl.full((BLOCK,), 1, tl.int64), mask=mask, sem="relaxed")


@case("histograms/confusion_matrix_int64")
def confusion_case(make):
    a, b, matrix = make.integers(300, high=5, dtype="int64"), make.integers(300, high=5, dtype="int64"), make.zeros(5, 5, dtype="int64")
    make.launch(count_by_class, 3, a, b, matrix, 300, CLASSES=5, BLOCK=128)
    make.expect(matrix, np.bincount(a.values * 5 + b.values, minlength=25).reshape(5, 5))


@triton.jit
def bucket_offsets(x_ptr, start_ptr, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    counts = tl.histogram(x, BINS, mask=i < n)
    tl.store(start_ptr + tl.arange(0, BINS), tl.cumsum(counts, 0) - counts)


@case("histograms/bucket_offsets")
def bucket_case(make):
    x, start = make.integers(200, high=8), make.output(8, dtype="int32")
    make.launch(bucket_offsets, 1, x, start, 200, BLOCK=256, BINS=8)
    counts = np.bincount(x.values, minlength=8)
    make.expect(start, counts.cumsum() - counts)


@triton.jit
def count_leading_runs(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    here = tl.load(x_ptr + i, mask=i < n, other=-1)
    before = tl.load(x_ptr + i - 1, mask=(i > 0) & (i < n), other=-2)
    tl.store(out_ptr, tl.sum(((here != before) & (i < n)).to(tl.int32), 0))


@case("histograms/count_of_runs")
def runs_case(make):
    x, out = make.integers(120, high=3), make.output(1, dtype="int32")
    make.launch(count_leading_runs, 1, x, out, 120, BLOCK=128)
    make.expect(out, 1 + (np.diff(x.values) != 0).sum())
