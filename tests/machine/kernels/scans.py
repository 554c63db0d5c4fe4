"""Prefix sums and their kin."""
import numpy as np
import triton
import triton.language as tl

from .case import case


@triton.jit
def cumsum_rows(x_ptr, out_ptr, cols, REVERSE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=0.0)
    tl.store(out_ptr + row * cols + c, tl.cumsum(x, axis=0, reverse=REVERSE), mask=c < cols)


for _reverse in (False, True):
    @case(f"scans/cumsum{'_reverse' if _reverse else ''}")
    def cumsum_case(make, reverse=_reverse):
        x, out = make.normal(6, 90), make.output(6, 90)
        make.launch(cumsum_rows, 6, x, out, 90, REVERSE=reverse, BLOCK=128)
        v = x.values.astype(np.float64)
        make.expect(out, v[:, ::-1].cumsum(1)[:, ::-1] if reverse else v.cumsum(1), "sum")


@triton.jit
def linear_step(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2


@triton.jit
def linear_recurrence(a_ptr, b_ptr, h_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    t = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * n + t, mask=t < n, other=1.0)
    b = tl.load(b_ptr + row * n + t, mask=t < n, other=0.0)
    _, h = tl.associative_scan((a, b), 0, linear_step)
    tl.store(h_ptr + row * n + t, h, mask=t < n)


@case("scans/linear_recurrence_of_two_operands")
def linear_recurrence_case(make):
    a, b, h = make.uniform(4, 50, low=0.5, high=1.0), make.normal(4, 50), make.output(4, 50)
    make.launch(linear_recurrence, 4, a, b, h, 50, BLOCK=64)
    state, states = np.zeros(4), []
    for t in range(50):
        state = a.values[:, t] * state + b.values[:, t]
        states.append(state)
    make.expect(h, np.stack(states, 1), "sum")


@triton.jit
def cumprod_columns(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)[:, None]
    c = tl.program_id(0) * C + tl.arange(0, C)[None, :]
    mask = (r < rows) & (c < cols)
    x = tl.load(x_ptr + r * cols + c, mask=mask, other=1.0)
    tl.store(out_ptr + r * cols + c, tl.cumprod(x, 0), mask=mask)


@case("scans/cumprod_along_rows")
def cumprod_case(make):
    x, out = make.uniform(20, 30, low=0.7, high=1.3), make.output(20, 30)
    make.launch(cumprod_columns, 2, x, out, 20, 30, R=32, C=16)
    make.expect(out, x.values.astype(np.float64).cumprod(0), "sum")


@triton.jit
def running_max(a, b):
    return tl.maximum(a, b)


@triton.jit
def cumulative_maximum(x_ptr, out_ptr, back_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=-float("inf"))
    tl.store(out_ptr + row * cols + c, tl.associative_scan(x, 0, running_max), mask=c < cols)
    tl.store(back_ptr + row * cols + c, tl.associative_scan(x, 0, running_max, reverse=True), mask=c < cols)


@case("scans/cumulative_maximum_both_ways")
def cumulative_maximum_case(make):
    x, out, back = make.normal(5, 40), make.output(5, 40), make.output(5, 40)
    make.launch(cumulative_maximum, 5, x, out, back, 40, BLOCK=64)
    make.expect(out, np.maximum.accumulate(x.values, 1))
    make.expect(back, np.maximum.accumulate(x.values[:, ::-1], 1)[:, ::-1])


@triton.jit
def max_with_place(v1, i1, v2, i2):
    later = v2 > v1
    return tl.where(later, v2, v1), tl.where(later, i2, i1)


@triton.jit
def cumulative_argmax(x_ptr, value_ptr, place_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=-float("inf"))
    value, place = tl.associative_scan((x, c), 0, max_with_place)
    tl.store(value_ptr + row * cols + c, value, mask=c < cols)
    tl.store(place_ptr + row * cols + c, place, mask=c < cols)


@case("scans/cummax_with_indices")
def cumulative_argmax_case(make):
    x, value, place = make.normal(4, 50), make.output(4, 50), make.output(4, 50, dtype="int32")
    make.launch(cumulative_argmax, 4, x, value, place, 50, BLOCK=64)
    best = np.maximum.accumulate(x.values, 1)
    make.expect(value, best)
    make.expect(place, np.maximum.accumulate(np.where(x.values == best, np.arange(50), 0), 1))


@triton.jit
def segment_step(v1, f1, v2, f2):
    return tl.where(f2 != 0, v2, v1 + v2), f1 | f2


@triton.jit
def segmented_cumsum(x_ptr, start_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    starts = tl.load(start_ptr + i, mask=i < n, other=0)
    total, _ = tl.associative_scan((x, starts), 0, segment_step)
    tl.store(out_ptr + i, total, mask=i < n)


@case("scans/segmented_cumsum")
def segmented_case(make):
    x, out = make.normal(100), make.output(100)
    starts = make.array((make.random.uniform(size=100) < 0.15).astype(np.int32))
    make.launch(segmented_cumsum, 1, x, starts, out, 100, BLOCK=128)
    expected, total = [], 0.0
    for v, s in zip(x.values.astype(np.float64), starts.values):
        total = v if s else total + v
        expected.append(total)
    make.expect(out, expected, "sum")


@triton.jit
def scan_blocks(x_ptr, out_ptr, totals_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.store(out_ptr + i, tl.cumsum(x, 0), mask=i < n)
    tl.store(totals_ptr + pid, tl.sum(x, 0))


@triton.jit
def scan_totals(totals_ptr, count, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    t = tl.load(totals_ptr + i, mask=i < count, other=0)
    tl.store(totals_ptr + i, tl.cumsum(t, 0) - t, mask=i < count)


@triton.jit
def add_block_offsets(out_ptr, totals_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    before = tl.load(totals_ptr + pid)
    tl.store(out_ptr + i, tl.load(out_ptr + i, mask=i < n) + before, mask=i < n)


@case("scans/prefix_sum_across_blocks_int32")
def across_blocks_case(make):
    x, out, totals = make.integers(1000, low=-50, high=50), make.output(1000, dtype="int32"), make.output(8, dtype="int32")
    make.launch(scan_blocks, 8, x, out, totals, 1000, BLOCK=128)
    make.launch(scan_totals, 1, totals, 8, BLOCK=8)
    make.launch(add_block_offsets, 8, out, totals, 1000, BLOCK=128)
    make.expect(out, x.values.cumsum())


@triton.jit
def selective_scan(x_ptr, dt_ptr, a_ptr, y_ptr, length, STATES: tl.constexpr):
    channel = tl.program_id(0)
    s = tl.arange(0, STATES)
    a = tl.load(a_ptr + channel * STATES + s)
    h = tl.zeros((STATES,), tl.float32)
    for t in range(length):
        x = tl.load(x_ptr + channel * length + t)
        dt = tl.load(dt_ptr + channel * length + t)
        h = h * tl.exp(dt * a) + dt * x
        tl.store(y_ptr + channel * length + t, tl.sum(h, 0))


@case("scans/sequential_state_space")
def selective_scan_case(make):
    x, dt, a, y = make.normal(3, 30), make.uniform(3, 30, low=0.1, high=0.5), make.uniform(3, 8, low=-1.0, high=-0.1), make.output(3, 30)
    make.launch(selective_scan, 3, x, dt, a, y, 30, STATES=8)
    h, expected = np.zeros((3, 8)), []
    for t in range(30):
        h = h * np.exp(dt.values[:, t, None].astype(np.float64) * a.values) + dt.values[:, t, None] * x.values[:, t, None].astype(np.float64)
        expected.append(h.sum(1))
    make.expect(y, np.stack(expected, 1), "sum")


@triton.jit
def scan_middle_axis(x_ptr, out_ptr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, A)[:, None, None] * (B * C) + tl.arange(0, B)[None, :, None] * C + tl.arange(0, C)[None, None, :]
    tl.store(out_ptr + at, tl.cumsum(tl.load(x_ptr + at), 1))


@case("scans/cumsum_of_middle_axis")
def middle_axis_case(make):
    x, out = make.normal(4, 16, 8), make.output(4, 16, 8)
    make.launch(scan_middle_axis, 1, x, out, A=4, B=16, C=8)
    make.expect(out, x.values.astype(np.float64).cumsum(1), "sum")


@triton.jit
def carry_between_chunks(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    carry = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n, other=0.0)
        tl.store(out_ptr + i, tl.cumsum(x, 0) + carry, mask=i < n)
        carry += tl.sum(x, 0)


@case("scans/cumsum_carried_between_chunks")
def carry_case(make):
    x, out = make.normal(300), make.output(300)
    make.launch(carry_between_chunks, 1, x, out, 300, BLOCK=64)
    make.expect(out, x.values.astype(np.float64).cumsum(), "sum")
