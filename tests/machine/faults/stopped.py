"""Assertions, endless loops, too much memory, operations that are not executed, origins of NaN."""
import numpy as np
import triton
import triton.language as tl

from .fault import fault


@triton.jit
def assertion_fails(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    tl.device_assert(x < 90, "index too large")  # fault
    tl.store(out_ptr + i, x, mask=i < n)


@fault("stopped/assertion_fails", "assert", "index too large")
def assertion_fault(make):
    x = make.integers(100, high=90)
    x.raw[70] = 90
    make.launch(assertion_fails, 2, x, make.output(100, dtype="int32"), 100, BLOCK=64, debug=True)


@triton.jit
def check_row(row, rows):
    tl.device_assert(row < rows, "no such row")  # fault
    return row * 10


@triton.jit
def assertion_in_function(out_ptr, rows):
    pid = tl.program_id(0)
    tl.store(out_ptr + pid, check_row(pid, rows))


@fault("stopped/assertion_in_called_function", "assert", "no such row")
def assertion_function_fault(make):
    make.launch(assertion_in_function, 4, make.output(4, dtype="int32"), 3, debug=True)


@triton.jit
def loop_never_ends(x_ptr, out_ptr, n):
    i = 0
    total = 0.0
    while i < n:  # fault
        total += tl.load(x_ptr + i)
        i += tl.where(total > 1e30, 1, 0)
    tl.store(out_ptr, total)


@fault("stopped/loop_never_ends", "timeout", "takes longer than 300 ms", options={"wall_ms": 300})
def endless_fault(make):
    make.launch(loop_never_ends, 1, make.zeros(10), make.output(1), 10)


@triton.jit
def lock_never_released(lock_ptr, out_ptr):
    pid = tl.program_id(0)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:  # fault
        pass
    tl.store(out_ptr + pid, pid)


@fault("stopped/lock_never_released", "timeout", "takes longer than 300 ms", options={"wall_ms": 300})
def lock_fault(make):
    make.launch(lock_never_released, 3, make.zeros(1, dtype="int32"), make.output(3, dtype="int32"))


@triton.jit
def waits_for_a_later_program(flag_ptr, out_ptr):
    pid = tl.program_id(0)
    if pid == tl.num_programs(0) - 1:
        tl.atomic_xchg(flag_ptr, 1)
    else:
        while tl.atomic_add(flag_ptr, 0) == 0:  # fault
            pass
    tl.store(out_ptr + pid, pid)


@fault("stopped/waits_for_a_later_program", "timeout", "takes longer than 300 ms", options={"wall_ms": 300})
def waiting_fault(make):
    make.launch(waits_for_a_later_program, 3, make.zeros(1, dtype="int32"), make.output(3, dtype="int32"))


@triton.jit
def loop_of_a_billion(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for k in range(n):  # fault
        acc += tl.exp(tl.load(x_ptr + i) * k)
    tl.store(out_ptr + i, acc)


@fault("stopped/loop_of_a_billion", "timeout", "takes longer than 300 ms", options={"wall_ms": 300})
def long_loop_fault(make):
    make.launch(loop_of_a_billion, 1, make.normal(1024), make.output(1024), 1_000_000_000, BLOCK=1024)


@triton.jit
def values_beyond_the_limit(x_ptr, out_ptr, S: tl.constexpr):
    i = tl.arange(0, S)
    table = i[:, None].to(tl.float64) * i[None, :].to(tl.float64)
    x = tl.load(x_ptr + i)
    tl.store(out_ptr + i, tl.sum(table * x[None, :], 1))


@fault("stopped/values_beyond_the_limit", "memory", "need", options={"value_bytes": 1 << 20})
def memory_fault(make):
    make.launch(values_beyond_the_limit, 1, make.normal(512, dtype="float64"), make.output(512, dtype="float64"), S=512)


@triton.jit
def assembly(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    y = tl.inline_asm_elementwise("lop3.b32 $0, $1, $1, $1, 0x96;", "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1)  # fault
    tl.store(out_ptr + i, y)


@fault("stopped/assembly_is_not_executed", "not_executable", "tt.elementwise_inline_asm")
def assembly_fault(make):
    make.launch(assembly, 1, make.bits(32), make.output(32, dtype="int32"), BLOCK=32)


@triton.jit
def row_without_entries(x_ptr, keep_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    keep = tl.load(keep_ptr + row * cols + c, mask=c < cols, other=0) != 0
    x = tl.load(x_ptr + row * cols + c, mask=keep, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0))  # fault
    tl.store(out_ptr + row * cols + c, e / tl.sum(e, 0), mask=c < cols)


@fault("stopped/softmax_of_masked_row_is_nan", "nan", "makes a NaN", options={"nan_origin": True}, completes=True)
def nan_fault(make):
    keep = np.ones((3, 20), bool)
    keep[1] = False
    make.launch(row_without_entries, 3, make.normal(3, 20), make.array(keep), make.output(3, 20), 20, BLOCK=32)


@triton.jit
def root_of_negative_variance(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    mean = tl.sum(x, 0) / n
    variance = mean * mean - tl.sum(x * x, 0) / n
    deviation = tl.sqrt(variance)  # fault
    tl.store(out_ptr + i, (x - mean) / deviation, mask=i < n)


@fault("stopped/root_of_negative_is_nan", "nan", "makes a NaN", options={"nan_origin": True}, completes=True)
def root_fault(make):
    make.launch(root_of_negative_variance, 1, make.normal(50), make.output(50), 50, BLOCK=64)
