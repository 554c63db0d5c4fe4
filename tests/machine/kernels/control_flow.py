"""Loops, branches, early returns, functions and compile-time decisions."""
import numpy as np
import triton
import triton.language as tl

from .case import case

SCALE = tl.constexpr(2.5)
TABLE_SIZE = tl.constexpr(8)


@triton.jit
def early_return(x_ptr, out_ptr, n, limit, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid * BLOCK >= limit:
        return
    i = pid * BLOCK + tl.arange(0, BLOCK)
    mask = (i < n) & (i < limit)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=mask) + 1.0, mask=mask)


@case("control_flow/early_return")
def early_return_case(make):
    x, out = make.normal(200), make.zeros(200)
    make.launch(early_return, 7, x, out, 200, 90, BLOCK=32)
    make.expect(out, np.where(np.arange(200) < 90, x.values + 1, 0))


@triton.jit
def branch_by_program(x_ptr, out_ptr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    if pid % 3 == 0:
        y = x * 2.0
    elif pid % 3 == 1:
        y = -x
    else:
        y = tl.zeros_like(x)
        if pid > 4:
            y += 7.0
    tl.store(out_ptr + i, y)


@case("control_flow/branches_by_program")
def branch_case(make):
    x, out = make.normal(8, 16), make.output(8, 16)
    make.launch(branch_by_program, 8, x, out, BLOCK=16)
    v = x.values
    expected = np.stack([v[p] * 2 if p % 3 == 0 else -v[p] if p % 3 == 1 else np.full(16, 7.0 if p > 4 else 0.0) for p in range(8)])
    make.expect(out, expected)


@triton.jit
def newton_until_close(x_ptr, out_ptr, rounds_ptr, tolerance):
    pid = tl.program_id(0)
    a = tl.load(x_ptr + pid)
    guess = a
    rounds = 0
    while tl.abs(guess * guess - a) > tolerance * a:
        guess = 0.5 * (guess + a / guess)
        rounds += 1
    tl.store(out_ptr + pid, guess)
    tl.store(rounds_ptr + pid, tl.minimum(rounds, 1))


@case("control_flow/while_of_scalars")
def newton_case(make):
    x, out, rounds = make.uniform(10, low=2.0, high=50.0), make.output(10), make.output(10, dtype="int32")
    make.launch(newton_until_close, 10, x, out, rounds, 1e-5)
    make.expect(out, np.sqrt(x.values), rtol=1e-4, atol=0)
    make.expect(rounds, np.ones(10))


@triton.jit
def nested_loops(out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.int32)
    for i in range(pid, n, 3):
        for j in range(i):
            if (i + j) % 2 == 0:
                acc += i * c + j
            else:
                acc -= j
    tl.store(out_ptr + pid * BLOCK + c, acc)


@case("control_flow/nested_loops_with_if")
def nested_case(make):
    out = make.output(3, 16, dtype="int32")
    make.launch(nested_loops, 3, out, 11, BLOCK=16)
    c, expected = np.arange(16), np.zeros((3, 16), np.int64)
    for p in range(3):
        for i in range(p, 11, 3):
            for j in range(i):
                expected[p] += i * c + j if (i + j) % 2 == 0 else -j
    make.expect(out, expected)


@triton.jit
def static_unrolling(x_ptr, out_ptr, BLOCK: tl.constexpr, DEPTH: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    for level in tl.static_range(DEPTH):
        if level % 2 == 0:
            x = x * x
        else:
            x = x + level
    for level in tl.static_range(DEPTH, 0, -1):
        x -= level
    tl.store(out_ptr + i, x)


@case("control_flow/static_range")
def static_case(make):
    x, out = make.uniform(32), make.output(32)
    make.launch(static_unrolling, 1, x, out, BLOCK=32, DEPTH=4)
    v = x.values.astype(np.float64)
    make.expect(out, (v ** 2 + 1) ** 2 + 3 - 10)


@triton.jit
def min_max_of(a, b):
    return tl.minimum(a, b), tl.maximum(a, b)


@triton.jit
def sort_three(a, b, c):
    a, b = min_max_of(a, b)
    b, c = min_max_of(b, c)
    a, b = min_max_of(a, b)
    return a, b, c


@triton.jit
def functions_returning_tuples(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    low, middle, high = sort_three(tl.load(x_ptr + 3 * i, mask=mask), tl.load(x_ptr + 3 * i + 1, mask=mask), tl.load(x_ptr + 3 * i + 2, mask=mask))
    tl.store(out_ptr + 3 * i, low, mask=mask)
    tl.store(out_ptr + 3 * i + 1, middle, mask=mask)
    tl.store(out_ptr + 3 * i + 2, high, mask=mask)


@case("control_flow/functions_returning_tuples")
def tuples_case(make):
    x, out = make.normal(50, 3), make.output(50, 3)
    make.launch(functions_returning_tuples, 2, x, out, 50, BLOCK=32)
    make.expect(out, np.sort(x.values, 1), "exact")


@triton.jit(noinline=True)
def polynomial(x, a, b, c):
    return (a * x + b) * x + c


@triton.jit(noinline=True)
def store_sum(x_ptr, out_ptr, at, scale):
    tl.store(out_ptr + at, polynomial(tl.load(x_ptr + at), scale, -2.0, 3.0))


@triton.jit
def calls_not_inlined(x_ptr, out_ptr, n):
    pid = tl.program_id(0)
    if pid < n:
        store_sum(x_ptr, out_ptr, pid, 0.5)
        tl.store(out_ptr + n + pid, polynomial(tl.load(x_ptr + pid), 1.0, 0.25, -1.0))


@case("control_flow/noinline_functions_of_scalars")
def noinline_case(make):
    x, out = make.normal(10), make.output(2, 10)
    make.launch(calls_not_inlined, 12, x, out, 10)
    v = x.values.astype(np.float64)
    make.expect(out, np.stack([(0.5 * v - 2) * v + 3, (v + 0.25) * v - 1]))


@triton.jit
def choose_by_size(x, n):
    if n > 100:
        return x * 2.0
    if n > 50:
        return x + 100.0
    return x


@triton.jit
def function_with_early_returns(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, choose_by_size(x, n), mask=i < n)


for _n in (30, 70, 120):
    @case(f"control_flow/function_with_early_returns_{_n}")
    def choose_case(make, n=_n):
        x, out = make.normal(n), make.output(n)
        make.launch(function_with_early_returns, 1, x, out, n, BLOCK=128)
        make.expect(out, x.values * 2 if n > 100 else x.values + 100 if n > 50 else x.values)


@triton.jit
def constants_of_module(x_ptr, out_ptr, KIND: tl.constexpr, POWER: tl.constexpr = 2):
    i = tl.arange(0, TABLE_SIZE)
    x = tl.load(x_ptr + i)
    if KIND == "scale":
        y = x * SCALE
    elif KIND == "power":
        y = x
        for _ in tl.static_range(POWER - 1):
            y *= x
    else:
        tl.static_assert(KIND == "shift", "unknown kind")
        y = x + TABLE_SIZE
    tl.store(out_ptr + i, y)


for _kind in ("scale", "power", "shift"):
    @case(f"control_flow/constexpr_text_{_kind}")
    def constants_case(make, kind=_kind):
        x, out = make.normal(8), make.output(8)
        make.launch(constants_of_module, 1, x, out, KIND=kind, POWER=3)
        v = x.values.astype(np.float64)
        make.expect(out, {"scale": v * 2.5, "power": v ** 3, "shift": v + 8}[kind])


@triton.jit
def loop_carries_several(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    a = 0
    b = 1
    scale = 1.0
    total = tl.zeros((BLOCK,), tl.float32)
    c = tl.arange(0, BLOCK)
    for step in range(n):
        a, b = b, a + b
        scale = -scale * 0.5
        total += tl.load(x_ptr + step * BLOCK + c) * scale
    tl.store(out_ptr + c, total + b)


@case("control_flow/loop_swaps_carried_values")
def carries_case(make):
    x, out = make.normal(10, 32), make.output(32)
    make.launch(loop_carries_several, 1, x, out, 10, BLOCK=32)
    scale = (-0.5) ** np.arange(1, 11)
    make.expect(out, (x.values * scale[:, None]).sum(0) + 89, "sum")


@triton.jit
def loop_options(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), tl.float32)
    c = tl.arange(0, BLOCK)
    for i in tl.range(0, n, num_stages=3, loop_unroll_factor=2):
        acc += tl.load(x_ptr + i * BLOCK + c)
    for i in tl.range(n - 1, -1, -2, disable_licm=True):
        acc -= tl.load(x_ptr + i * BLOCK + c) * 0.5
    tl.store(out_ptr + c, acc)


@case("control_flow/range_options_and_negative_step")
def options_case(make):
    x, out = make.normal(9, 32), make.output(32)
    make.launch(loop_options, 1, x, out, 9, BLOCK=32)
    v = x.values.astype(np.float64)
    make.expect(out, v.sum(0) - 0.5 * v[::-2].sum(0), "sum")


@triton.jit
def conditional_expression(x_ptr, out_ptr, flag, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    limit = 10 if flag > 0 else n
    factor = 2.0 if n > 1000 else 3.0
    tl.store(out_ptr + i, tl.where(i < limit, x * factor, x), mask=i < n)


for _flag in (0, 5):
    @case(f"control_flow/conditional_expression_{_flag}")
    def conditional_case(make, flag=_flag):
        x, out = make.normal(60), make.output(60)
        make.launch(conditional_expression, 1, x, out, flag, 60, BLOCK=64)
        make.expect(out, np.where(np.arange(60) < (10 if flag else 60), x.values * 3, x.values))


@triton.jit
def tuple_arguments(pointers, strides, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(pointers[0] + i * strides[0], mask=i < n)
    y = tl.load(pointers[1] + i * strides[1], mask=i < n)
    tl.store(pointers[2] + i, x * y, mask=i < n)


@case("control_flow/tuples_as_arguments")
def tuple_arguments_case(make):
    x, y, out = make.normal(120), make.normal(180), make.output(60)
    make.launch(tuple_arguments, 1, (x, y, out), (2, 3), 60, BLOCK=64)
    make.expect(out, x.values[::2] * y.values[::3])


@triton.jit
def default_and_unused(x_ptr, out_ptr, n, unused_ptr, shift=3, BLOCK: tl.constexpr = 64):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n) + shift, mask=i < n)


@case("control_flow/defaults_and_unused_arguments")
def defaults_case(make):
    x, out, unused = make.integers(100), make.output(100, dtype="int32"), make.output(4)
    make.launch(default_and_unused, 2, x, out, 100, unused)
    make.expect(out, x.values + 3)


@triton.jit
def scalar_of_one(x_ptr, out_ptr, n, stride, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i * stride, mask=i < n), mask=i < n)


for _stride in (1, 2, 16):
    @case(f"control_flow/specialised_scalar_{_stride}")
    def scalar_case(make, stride=_stride):
        x, out = make.normal(50 * stride), make.output(50)
        make.launch(scalar_of_one, 1, x, out, 50, stride, BLOCK=64)
        make.expect(out, x.values[::stride], "exact")


@triton.jit
def assertions_that_hold(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.static_assert(BLOCK % 16 == 0)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.device_assert(x >= 0, "negative", mask=i < n)
    tl.assume(n > 0)
    tl.store(out_ptr + i, x + 1, mask=i < n)


@case("control_flow/assertions_that_hold")
def assertions_case(make):
    x, out = make.integers(50), make.output(50, dtype="int32")
    make.launch(assertions_that_hold, 1, x, out, 50, BLOCK=64, debug=True)
    make.expect(out, x.values + 1)
