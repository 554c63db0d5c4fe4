"""Updates of shared memory by many programs; only what does not depend on their order is expected."""
import numpy as np
import triton
import triton.language as tl

from .case import case


@triton.jit
def histogram_atomic(x_ptr, counts_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.atomic_add(counts_ptr + x, 1, mask=i < n)


@case("atomics/histogram_int32")
def histogram_atomic_case(make):
    x, counts = make.integers(1000, high=20), make.zeros(20, dtype="int32")
    make.launch(histogram_atomic, 8, x, counts, 1000, BLOCK=128)
    make.expect(counts, np.bincount(x.values, minlength=20))


@triton.jit
def sum_to_one(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.atomic_add(out_ptr, tl.sum(x, 0))


@case("atomics/sum_to_one_float32")
def sum_to_one_case(make):
    x, out = make.normal(1000), make.zeros(1)
    make.launch(sum_to_one, 8, x, out, 1000, BLOCK=128)
    make.expect(out, x.values.astype(np.float64).sum(), "sum")


@triton.jit
def atomic_extremes(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask, other=0)
    tl.atomic_max(out_ptr + i % 4, x, mask=mask)
    tl.atomic_min(out_ptr + 4 + i % 4, x, mask=mask)


for _dtype in ("int32", "float32", "uint32", "int64"):
    @case(f"atomics/max_and_min_{_dtype}")
    def atomic_extremes_case(make, dtype=_dtype):
        x = make.normal(500, dtype=dtype, scale=10) if dtype == "float32" else make.bits(500, dtype=dtype)
        out = make.array(np.tile(x.values[:4], 2), dtype)
        make.launch(atomic_extremes, 4, x, out, 500, BLOCK=128)
        groups = x.values.reshape(-1, 4)
        make.expect(out, np.concatenate([groups.max(0), groups.min(0)]), "exact")


@triton.jit
def atomic_bits(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    x = tl.load(x_ptr + i, mask=mask, other=0)
    one_place = tl.zeros((BLOCK,), tl.int32)
    tl.atomic_and(out_ptr + one_place, x | 0x0F0F, mask=mask)
    tl.atomic_or(out_ptr + 1 + one_place, x & 0x00FF, mask=mask)
    tl.atomic_xor(out_ptr + 2 + one_place, x, mask=mask)


@case("atomics/and_or_xor")
def atomic_bits_case(make):
    x, out = make.bits(200), make.array(np.int32([-1, 0, 5]))
    make.launch(atomic_bits, 2, x, out, 200, BLOCK=128)
    v = x.values
    make.expect(out, [np.bitwise_and.reduce(v | 0x0F0F), np.bitwise_or.reduce(v & 0xFF), 5 ^ np.bitwise_xor.reduce(v)])


@triton.jit
def scatter_add_rows(src_ptr, index_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    to = tl.load(index_ptr + row)
    tl.atomic_add(out_ptr + to * cols + c, tl.load(src_ptr + row * cols + c, mask=c < cols), mask=c < cols)


for _dtype in ("float32", "float16", "float64"):
    @case(f"atomics/scatter_add_rows_{_dtype}")
    def scatter_add_case(make, dtype=_dtype):
        src, index = make.normal(20, 30, dtype=dtype, scale=0.5), make.integers(20, high=6, dtype="int64")
        out = make.zeros(6, 30, dtype=dtype)
        make.launch(scatter_add_rows, 20, src, index, out, 30, BLOCK=32)
        expected = np.zeros((6, 30))
        np.add.at(expected, index.values, src.values.astype(np.float64))
        make.expect(out, expected, "sum", **({"rtol": 2e-2, "atol": 1e-2} if dtype == "float16" else {}))


@triton.jit
def spin_lock_sum(x_ptr, lock_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    tl.store(out_ptr, tl.load(out_ptr) + total)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)


@case("atomics/spin_lock")
def spin_lock_case(make):
    x, lock, out = make.normal(600), make.zeros(1, dtype="int32"), make.zeros(1)
    make.launch(spin_lock_sum, 6, x, lock, out, 600, BLOCK=128)
    make.expect(out, x.values.astype(np.float64).sum(), "sum")
    make.expect(lock, [0])


@triton.jit
def last_program_finishes(x_ptr, partial_ptr, count_ptr, out_ptr, n, PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(partial_ptr + pid, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0))
    tl.debug_barrier()
    arrived = tl.atomic_add(count_ptr, 1, sem="acq_rel", scope="gpu")
    if arrived == PROGRAMS - 1:
        partials = tl.load(partial_ptr + tl.arange(0, PROGRAMS), cache_modifier=".cg")
        tl.store(out_ptr, tl.sum(partials, 0))


@case("atomics/last_program_finishes")
def last_program_case(make):
    x, partial, count, out = make.normal(1000), make.output(8), make.zeros(1, dtype="int32"), make.output(1)
    make.launch(last_program_finishes, 8, x, partial, count, out, 1000, PROGRAMS=8, BLOCK=128)
    make.expect(out, x.values.astype(np.float64).sum(), "sum")
    make.expect(count, [8])


@triton.jit
def compact_positive(x_ptr, out_ptr, count_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=-1)
    keep = x > 0
    places = tl.cumsum(keep.to(tl.int32), 0)
    base = tl.atomic_add(count_ptr, tl.max(places, 0))
    tl.store(out_ptr + base + places - 1, x, mask=keep)


@case("atomics/stream_compaction_one_program")
def compact_case(make):
    x, count = make.integers(100, low=-50, high=50), make.zeros(1, dtype="int32")
    out = make.full(100, value=-7, dtype="int32")
    make.launch(compact_positive, 1, x, out, count, 100, BLOCK=128)
    kept = x.values[x.values > 0]
    make.expect(out, np.concatenate([kept, np.full(100 - len(kept), -7)]))
    make.expect(count, [len(kept)])


@triton.jit
def ticket_marks_all(count_ptr, seen_ptr):
    ticket = tl.atomic_add(count_ptr, 1)
    tl.atomic_or(seen_ptr + ticket, 1)


@case("atomics/tickets_are_all_different")
def ticket_case(make):
    count, seen = make.zeros(1, dtype="int32"), make.zeros(40, dtype="int32")
    make.launch(ticket_marks_all, (5, 4, 2), count, seen)
    make.expect(count, [40])
    make.expect(seen, np.ones(40))


@triton.jit
def float_max_by_cas(x_ptr, out_ptr, BLOCK: tl.constexpr):
    x = tl.max(tl.load(x_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)), 0)
    old = tl.load(out_ptr)  # a guess: the swap fails if it is no longer true
    done = False
    while not done:
        want = tl.maximum(old.to(tl.float32, bitcast=True), x).to(tl.int32, bitcast=True)
        seen = tl.atomic_cas(out_ptr, old, want)
        done = seen == old
        old = seen


@case("atomics/float_maximum_by_compare_and_swap")
def cas_max_case(make):
    x = make.normal(256)
    out = make.array(np.float32([-1e30]).view(np.int32))
    make.launch(float_max_by_cas, 4, x, out, BLOCK=64)
    make.expect(out, np.float32([x.values.max()]).view(np.int32))


@triton.jit
def atomic_exchange_block(x_ptr, slot_ptr, old_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(old_ptr + i, tl.atomic_xchg(slot_ptr + i, x, mask=i % 3 != 0), mask=i % 3 != 0)


for _dtype in ("int32", "float32", "int64"):
    @case(f"atomics/exchange_{_dtype}", no_interpreter="it exchanges integers only" if _dtype == "float32" else "")
    def exchange_case(make, dtype=_dtype):
        def some():
            return make.normal(64) if dtype == "float32" else make.bits(64, dtype=dtype)
        x, slot, old = some(), some(), make.zeros(64, dtype=dtype)
        make.launch(atomic_exchange_block, 1, x, slot, old, BLOCK=64)
        hit = np.arange(64) % 3 != 0
        make.expect(slot, np.where(hit, x.values, slot.values), "exact")
        make.expect(old, np.where(hit, slot.values, np.zeros_like(slot.values)), "exact")


@triton.jit
def cas_of_block(slot_ptr, compare_ptr, value_ptr, old_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    old = tl.atomic_cas(slot_ptr + i, tl.load(compare_ptr + i), tl.load(value_ptr + i))
    tl.store(old_ptr + i, old)


@case("atomics/compare_and_swap_of_block")
def cas_block_case(make):
    slot, compare, value = make.integers(64, high=3), make.integers(64, high=3), make.integers(64, low=10, high=20)
    old = make.output(64, dtype="int32")
    make.launch(cas_of_block, 1, slot, compare, value, old, BLOCK=64)
    make.expect(slot, np.where(slot.values == compare.values, value.values, slot.values))
    make.expect(old, slot.values)
