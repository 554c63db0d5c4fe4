"""Pointers that are made wrongly: of blocks, of descriptors, of numbers."""
import triton
import triton.language as tl

from .fault import fault


@triton.jit
def block_pointer_unchecked(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (n,), (1,), (tl.program_id(0) * BLOCK,), (BLOCK,), (0,))
    q = tl.make_block_ptr(out_ptr, (n,), (1,), (tl.program_id(0) * BLOCK,), (BLOCK,), (0,))
    x = tl.load(p)  # fault
    tl.store(q, x, boundary_check=(0,))


@fault("pointers/block_pointer_unchecked", "out_of_bounds", "past the end of storage 0")
def block_pointer_fault(make):
    make.launch(block_pointer_unchecked, 2, make.normal(100), make.output(100), 100, BLOCK=64)


@triton.jit
def block_pointer_shape_too_large(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (cols, rows), (cols, 1), (0, 0), (R, C), (1, 0))
    x = tl.load(p, boundary_check=(0, 1))  # fault
    tl.store(tl.make_block_ptr(out_ptr, (rows, cols), (cols, 1), (0, 0), (R, C), (1, 0)), x, boundary_check=(0, 1))


@fault("pointers/block_pointer_shape_swapped", "out_of_bounds", "past the end of storage 0")
def block_pointer_shape_fault(make):
    make.launch(block_pointer_shape_too_large, 1, make.normal(10, 30), make.output(10, 30), 10, 30, R=32, C=32)


@triton.jit
def block_pointer_checks_one_axis(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    p = tl.make_block_ptr(out_ptr, (rows, cols), (cols, 1), (tl.program_id(0) * R, 0), (R, C), (1, 0))
    tl.store(p, tl.zeros((R, C), tl.float32), boundary_check=(1,))  # fault


@fault("pointers/block_pointer_checks_one_axis", "out_of_bounds", "writes 0 bytes past the end of storage 1")
def block_pointer_axis_fault(make):
    make.launch(block_pointer_checks_one_axis, 2, make.normal(10, 30), make.output(10, 30), 10, 30, R=8, C=32)


@triton.jit
def pointer_made_of_a_number(out_ptr, address, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    p = address.to(tl.pointer_type(tl.float32))
    x = tl.load(p + i)  # fault
    tl.store(out_ptr + i, x)


@fault("pointers/pointer_made_of_a_number", "out_of_bounds", "a pointer that belongs to no tensor")
def made_pointer_fault(make):
    make.launch(pointer_made_of_a_number, 1, make.output(16), 0x7F0012345678, BLOCK=16)


@triton.jit
def null_in_pointer_table(table_ptr, out_ptr, count, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for k in range(count):
        p = tl.load(table_ptr + k).to(tl.pointer_type(tl.float32))
        acc += tl.load(p + i)  # fault
    tl.store(out_ptr + i, acc)


@fault("pointers/null_in_pointer_table", "out_of_bounds", "a pointer that belongs to no tensor")
def null_fault(make):
    table = make.zeros(2, dtype="int64")
    make.launch(null_in_pointer_table, 1, table, make.output(16), 2, BLOCK=16)


@triton.jit
def gather_beyond_the_axis(x_ptr, index_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    y = tl.gather(tl.load(x_ptr + i), tl.load(index_ptr + i), 0)  # fault
    tl.store(out_ptr + i, y)


@fault("pointers/gather_beyond_the_axis", "out_of_bounds", "takes element 32 of an axis of 32")
def gather_fault(make):
    index = make.integers(32, high=32)
    index.raw[9] = 32
    make.launch(gather_beyond_the_axis, 1, make.normal(32), index, make.output(32), N=32)


@triton.jit
def words_at_odd_bytes(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    words = (x_ptr + 1).to(tl.pointer_type(tl.int32))
    x = tl.load(words + i, mask=i < n)  # fault
    tl.store(out_ptr + i, x, mask=i < n)


@fault("pointers/words_at_odd_bytes", "misaligned", "no multiple of 4")
def odd_bytes_fault(make):
    make.launch(words_at_odd_bytes, 1, make.bits(100, dtype="int8"), make.output(20, dtype="int32"), 20, BLOCK=32)


@triton.jit
def descriptor_claims_more_rows(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    d = tl.make_tensor_descriptor(x_ptr, [rows + 8, cols], [cols, 1], [R, C])
    x = d.load([rows, 0])  # fault
    tl.store(out_ptr + tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :], x)


@fault("pointers/descriptor_claims_more_rows", "out_of_bounds", "past the end of storage 0")
def descriptor_fault(make):
    make.launch(descriptor_claims_more_rows, 1, make.normal(8, 32), make.output(8, 32), 8, 32, R=8, C=32)


@triton.jit
def descriptor_of_odd_stride(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    d = tl.make_tensor_descriptor(x_ptr, [rows, cols], [cols, 1], [R, C])  # fault
    tl.store(out_ptr + tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :], d.load([0, 0]))


@fault("pointers/descriptor_of_odd_stride", "misaligned", "strides of a multiple of 16 bytes")
def odd_stride_fault(make):
    make.launch(descriptor_of_odd_stride, 1, make.normal(8, 30), make.output(8, 32), 8, 30, R=8, C=32)
