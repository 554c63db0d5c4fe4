"""Sorting, selection and reordering."""
import numpy as np
import triton
import triton.language as tl

from .case import case


@triton.jit
def sort_rows(x_ptr, out_ptr, BLOCK: tl.constexpr, DESCENDING: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(out_ptr + row * BLOCK + c, tl.sort(tl.load(x_ptr + row * BLOCK + c), descending=DESCENDING))


for _dtype in ("float32", "int32", "float16", "int8", "int64"):
    for _descending in (False, True) if _dtype in ("float32", "int32") else (False,):
        @case(f"sorts/sort_{'descending_' if _descending else ''}{_dtype}")
        def sort_case(make, dtype=_dtype, descending=_descending):
            x = make.normal(4, 64, dtype=dtype) if dtype.startswith("float") else make.integers(4, 64, low=-100, high=100, dtype=dtype)
            out = make.output(4, 64, dtype=dtype)
            make.launch(sort_rows, 4, x, out, BLOCK=64, DESCENDING=descending)
            v = np.sort(x.values, 1)
            make.expect(out, v[:, ::-1] if descending else v, "exact")


@triton.jit
def sort_padded(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=float("inf"))
    tl.store(out_ptr + row * cols + c, tl.sort(x), mask=c < cols)


@case("sorts/sort_padded_with_infinity")
def sort_padded_case(make):
    x, out = make.normal(5, 41), make.output(5, 41)
    make.launch(sort_padded, 5, x, out, 41, BLOCK=64)
    make.expect(out, np.sort(x.values, 1), "exact")


@triton.jit
def top_k(x_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr, K: tl.constexpr):
    r = tl.arange(0, R)
    x = tl.load(x_ptr + r[:, None] * C + tl.arange(0, C)[None, :])
    best = tl.topk(x, K)
    tl.store(out_ptr + r[:, None] * K + tl.arange(0, K)[None, :], best)


@case("sorts/topk_of_tile")
def top_k_case(make):
    x, out = make.normal(4, 32), make.output(4, 8)
    make.launch(top_k, 1, x, out, R=4, C=32, K=8)
    make.expect(out, np.sort(x.values, 1)[:, ::-1][:, :8], "exact")


@triton.jit
def top_values_by_rounds(x_ptr, value_ptr, place_ptr, cols, K: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=-float("inf"))
    for k in tl.static_range(K):
        best = tl.max(x, 0)
        place = tl.argmax(x, 0)
        tl.store(value_ptr + row * K + k, best)
        tl.store(place_ptr + row * K + k, place)
        x = tl.where(c == place, -float("inf"), x)


@case("sorts/topk_with_indices_by_rounds")
def top_values_case(make):
    x, value, place = make.normal(6, 50), make.output(6, 3), make.output(6, 3, dtype="int64")
    make.launch(top_values_by_rounds, 6, x, value, place, 50, K=3, BLOCK=64)
    order = np.argsort(-x.values, 1)[:, :3]
    make.expect(value, np.take_along_axis(x.values, order, 1), "exact")
    make.expect(place, order)


@triton.jit
def argsort_packed(key_ptr, order_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    key = tl.load(key_ptr + i, mask=i < n, other=0x7FFFFFFF)
    packed = (key.to(tl.int64) << 32) | i.to(tl.int64)
    packed = tl.sort(packed)
    tl.store(order_ptr + i, (packed & 0xFFFFFFFF).to(tl.int32), mask=i < n)


@case("sorts/stable_argsort_by_packing")
def argsort_case(make):
    key, order = make.integers(100, high=20), make.output(100, dtype="int32")
    make.launch(argsort_packed, 1, key, order, 100, BLOCK=128)
    make.expect(order, np.argsort(key.values, kind="stable"))


@triton.jit
def rank_by_counting(x_ptr, rank_ptr, n, BLOCK: tl.constexpr, OTHERS: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    rank = tl.zeros((BLOCK,), tl.int32)
    for start in range(0, n, OTHERS):
        j = start + tl.arange(0, OTHERS)
        y = tl.load(x_ptr + j, mask=j < n, other=float("inf"))
        before = (y[None, :] < x[:, None]) | ((y[None, :] == x[:, None]) & (j[None, :] < i[:, None]))
        rank += tl.sum(before.to(tl.int32), 1)
    tl.store(rank_ptr + i, rank, mask=i < n)


@case("sorts/rank_by_counting")
def rank_case(make):
    x, rank = make.normal(100), make.output(100, dtype="int32")
    make.launch(rank_by_counting, 4, x, rank, 100, BLOCK=32, OTHERS=32)
    make.expect(rank, np.argsort(np.argsort(x.values)))


@triton.jit
def odd_even_sort_in_memory(x_ptr, n, BLOCK: tl.constexpr):
    pair = tl.arange(0, BLOCK)
    for phase in range(n):
        left = 2 * pair + (phase % 2)
        mask = left + 1 < n
        a = tl.load(x_ptr + left, mask=mask, other=0)
        b = tl.load(x_ptr + left + 1, mask=mask, other=0)
        tl.debug_barrier()
        tl.store(x_ptr + left, tl.minimum(a, b), mask=mask)
        tl.store(x_ptr + left + 1, tl.maximum(a, b), mask=mask)
        tl.debug_barrier()


@case("sorts/odd_even_sort_in_memory")
def odd_even_case(make):
    x = make.integers(30, low=-99, high=99)
    make.launch(odd_even_sort_in_memory, 1, x, 30, BLOCK=16)
    make.expect(x, np.sort(x.values))


@triton.jit
def median_of_window(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x_ptr + tl.maximum(i - 1, 0), mask=i < n)
    b = tl.load(x_ptr + i, mask=i < n)
    c = tl.load(x_ptr + tl.minimum(i + 1, n - 1), mask=i < n)
    median = tl.maximum(tl.minimum(a, b), tl.minimum(tl.maximum(a, b), c))
    tl.store(out_ptr + i, median, mask=i < n)


@case("sorts/median_of_three_neighbours")
def median_case(make):
    x, out = make.normal(99), make.output(99)
    make.launch(median_of_window, 4, x, out, 99, BLOCK=32)
    padded = np.pad(x.values, 1, mode="edge")
    make.expect(out, np.median(np.stack([padded[:-2], padded[1:-1], padded[2:]]), 0), "exact")
