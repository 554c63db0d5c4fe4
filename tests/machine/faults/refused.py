"""What the compiler refuses."""
import triton
import triton.language as tl

from .fault import fault


@triton.jit
def range_of_no_power_of_two(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)  # fault
    tl.store(x_ptr + i, 1.0, mask=i < n)


@fault("refused/range_of_no_power_of_two", "error", "power of 2")
def range_fault(make):
    make.launch(range_of_no_power_of_two, 1, make.output(100), 100, BLOCK=100)


@triton.jit
def range_of_a_runtime_size(x_ptr, n):
    i = tl.arange(0, n)  # fault
    tl.store(x_ptr + i, 1.0)


@fault("refused/range_of_a_runtime_size", "error", "constexpr")
def runtime_range_fault(make):
    make.launch(range_of_a_runtime_size, 1, make.output(64), 64)


@triton.jit
def shapes_do_not_fit(x_ptr, y_ptr, out_ptr):
    x = tl.load(x_ptr + tl.arange(0, 64))
    y = tl.load(y_ptr + tl.arange(0, 32))
    tl.store(out_ptr + tl.arange(0, 64), x + y)  # fault


@fault("refused/shapes_do_not_fit", "error", "64 and 32")
def shapes_fault(make):
    make.launch(shapes_do_not_fit, 1, make.normal(64), make.normal(32), make.output(64))


@triton.jit
def mask_of_another_shape(x_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R), tl.arange(0, C)
    p = x_ptr + r[:, None] * cols + c[None, :]
    tl.store(p, 0.0, mask=(r < rows)[:, None] & (c[:, None] < cols))  # fault


@fault("refused/mask_of_another_shape", "error", "32")
def mask_shape_fault(make):
    make.launch(mask_of_another_shape, 1, make.output(10, 30), 10, 30, R=16, C=32)


@triton.jit
def dot_of_different_types(a_ptr, b_ptr, c_ptr, S: tl.constexpr):
    at = tl.arange(0, S)[:, None] * S + tl.arange(0, S)[None, :]
    c = tl.dot(tl.load(a_ptr + at), tl.load(b_ptr + at))  # fault
    tl.store(c_ptr + at, c)


@fault("refused/dot_of_different_types", "error", "same dtype")
def dot_types_fault(make):
    make.launch(dot_of_different_types, 1, make.normal(32, 32), make.normal(32, 32, dtype="float16"), make.output(32, 32), S=32)


@triton.jit
def dot_too_small(a_ptr, b_ptr, c_ptr, S: tl.constexpr):
    at = tl.arange(0, S)[:, None] * S + tl.arange(0, S)[None, :]
    tl.store(c_ptr + at, tl.dot(tl.load(a_ptr + at), tl.load(b_ptr + at)))  # fault


@fault("refused/dot_too_small", "error", "K >= 16")
def dot_small_fault(make):
    make.launch(dot_too_small, 1, make.normal(8, 8, dtype="float16"), make.normal(8, 8, dtype="float16"), make.output(8, 8), S=8)


@triton.jit
def dot_inner_sizes_differ(a_ptr, b_ptr, c_ptr):
    i, j = tl.arange(0, 32), tl.arange(0, 64)
    a = tl.load(a_ptr + i[:, None] * 64 + j[None, :])
    b = tl.load(b_ptr + i[:, None] * 32 + i[None, :])
    c = tl.dot(a, b)  # fault
    tl.store(c_ptr + i[:, None] * 32 + i[None, :], c)


@fault("refused/dot_inner_sizes_differ", "error", "reduction dimensions")
def dot_sizes_fault(make):
    make.launch(dot_inner_sizes_differ, 1, make.normal(32, 64), make.normal(32, 32), make.output(32, 32))


@triton.jit
def loop_changes_the_type(x_ptr, out_ptr, n):
    total = 0
    for i in range(n):  # fault
        total += tl.load(x_ptr + i)
    tl.store(out_ptr, total)


@fault("refused/loop_changes_the_type", "error", "total has initial type int32 but is re-assigned to fp32")
def loop_type_fault(make):
    make.launch(loop_changes_the_type, 1, make.normal(10), make.output(1), 10)


@triton.jit
def bits_of_a_float(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i) & 0xFF)  # fault


@fault("refused/bits_of_a_float", "error", "invalid operands")
def float_bits_fault(make):
    make.launch(bits_of_a_float, 1, make.normal(32), make.output(32), BLOCK=32)


@triton.jit
def block_through_a_scalar_pointer(x_ptr, out_ptr, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.store(out_ptr, x)  # fault


@fault("refused/block_through_a_scalar_pointer", "error", "block type")
def scalar_pointer_fault(make):
    make.launch(block_through_a_scalar_pointer, 1, make.normal(32), make.output(32), BLOCK=32)


@triton.jit
def name_not_defined(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=maks, other=0.0)  # fault
    tl.store(out_ptr + i, x)


@fault("refused/name_not_defined", "error", "maks is not defined")
def name_fault(make):
    make.launch(name_not_defined, 1, make.normal(32), make.output(32), 32, BLOCK=32)


@triton.jit
def block_too_large(out_ptr, S: tl.constexpr):
    table = tl.zeros((S, S), tl.float32)  # fault
    tl.store(out_ptr, tl.sum(table))


@fault("refused/block_too_large", "error", "maximum tensor numel")
def huge_block_fault(make):
    make.launch(block_too_large, 1, make.output(1), S=2048)


@triton.jit
def returns_inside_a_loop(x_ptr, n):
    for i in range(n):
        if tl.load(x_ptr + i) > 3:  # fault
            return
        tl.store(x_ptr + i, 0)


@fault("refused/returns_inside_a_loop", "error", "return")
def return_fault(make):
    make.launch(returns_inside_a_loop, 1, make.integers(10), 10)


@triton.jit
def function_that_is_none(x_ptr, out_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.gelu(tl.load(x_ptr + i)))  # fault


@fault("refused/function_that_is_none", "error", "gelu")
def no_function_fault(make):
    make.launch(function_that_is_none, 1, make.normal(32), make.output(32), BLOCK=32)


@triton.jit
def reduce_along_a_missing_axis(x_ptr, out_ptr, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.store(out_ptr, tl.sum(x, axis=1))  # fault


@fault("refused/reduce_along_a_missing_axis", "error", "axis 1")
def axis_fault(make):
    make.launch(reduce_along_a_missing_axis, 1, make.normal(32), make.output(1), BLOCK=32)


@triton.jit
def branches_of_different_types(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    if n > 10:  # fault
        y = tl.load(x_ptr + i)
    else:
        y = tl.zeros((BLOCK,), tl.float16)
    tl.store(out_ptr + i, y)


@fault("refused/branches_of_different_types", "error", "Mismatched type for y")
def branch_fault(make):
    make.launch(branches_of_different_types, 1, make.normal(32), make.output(32), 32, BLOCK=32)


@triton.jit
def shared_memory_overflow(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm, rn, rk = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    a_ptrs = a_ptr + rm[:, None] * K + rk[None, :]
    b_ptrs = b_ptr + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(a_ptrs), tl.load(b_ptrs), acc)
        a_ptrs += BK
        b_ptrs += BK * N
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc)


@fault("refused/shared_memory_overflow", "error", "out of shared memory", machine_code=True)
def shared_fault(make):
    m, k = 128, 512
    make.launch(shared_memory_overflow, 1, make.normal(m, k, dtype="float16"), make.normal(k, m, dtype="float16"), make.output(m, m), m, m, k,
                BM=128, BN=128, BK=128, num_stages=5, num_warps=8)
