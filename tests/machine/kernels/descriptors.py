"""Tensor descriptors, made on the device and by the host. Outside of the tensor reads are zero and writes are dropped."""
import numpy as np
import triton
import triton.language as tl

from .case import HostDescriptor, case
from .matmul import product


@triton.jit
def matmul_descriptors(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    b = tl.make_tensor_descriptor(b_ptr, shape=[K, N], strides=[N, 1], block_shape=[BK, BN])
    c = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a.load([m, k]), b.load([k, n]), acc)
    c.store([m, n], acc.to(c_ptr.dtype.element_ty))


@case("descriptors/matmul_f16")
def matmul_descriptors_case(make):
    m, n, k = 40, 48, 56
    a, b, c = make.normal(m, k, dtype="float16"), make.normal(k, n, dtype="float16"), make.output(m, n, dtype="float16")
    make.launch(matmul_descriptors, (2, 2), a, b, c, m, n, k, BM=32, BN=32, BK=32)
    make.expect(c, product(a.values, b.values), "dot")


@triton.jit
def copy_outside_is_zero(x_ptr, out_ptr, rows, cols, top, left, R: tl.constexpr, C: tl.constexpr):
    d = tl.make_tensor_descriptor(x_ptr, [rows, cols], [cols, 1], [R, C])
    tile = d.load([top, left])
    tl.store(out_ptr + tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :], tile)


for _dtype in ("float32", "int32", "int8", "bfloat16"):
    @case(f"descriptors/load_past_the_edge_{_dtype}")
    def outside_case(make, dtype=_dtype):
        x = make.normal(10, 32, dtype=dtype) if "float" in dtype else make.bits(10, 32, dtype=dtype)
        out = make.output(8, 32, dtype=dtype)
        make.launch(copy_outside_is_zero, 1, x, out, 10, 32, 5, 16, R=8, C=32)
        expected = np.zeros((8, 32))
        expected[:5, :16] = x.values[5:, 16:]
        make.expect(out, expected, "exact")


@triton.jit
def store_past_the_edge(out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    d = tl.make_tensor_descriptor(out_ptr, [rows, cols], [cols, 1], [R, C])
    i = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    d.store([tl.program_id(0) * R, tl.program_id(1) * C], i + 1000 * tl.program_id(0) + 100000 * tl.program_id(1))


@case("descriptors/store_past_the_edge")
def store_edge_case(make):
    out = make.output(13, 20, dtype="int32")
    make.launch(store_past_the_edge, (2, 2), out, 13, 20, R=8, C=16)
    r, c = np.arange(13)[:, None], np.arange(20)
    make.expect(out, (r % 8) * 16 + c % 16 + 1000 * (r // 8) + 100000 * (c // 16))


@triton.jit
def descriptor_of_host(desc, out_ptr, cols, R: tl.constexpr, C: tl.constexpr):
    acc = tl.zeros((R,), tl.float32)
    for c in range(0, cols, C):
        acc += tl.sum(desc.load([tl.program_id(0) * R, c]), 1)
    tl.store(out_ptr + tl.program_id(0) * R + tl.arange(0, R), acc)


@case("descriptors/row_sum_with_descriptor_of_host")
def host_descriptor_case(make):
    x, out = make.normal(16, 48), make.output(16)
    make.launch(descriptor_of_host, 2, HostDescriptor(x, [8, 32]), out, 48, R=8, C=32)
    make.expect(out, x.values.astype(np.float64).sum(1), "sum")


@triton.jit
def three_dimensional_descriptor(x_ptr, out_ptr, A, B, C, TA: tl.constexpr, TB: tl.constexpr, TC: tl.constexpr):
    src = tl.make_tensor_descriptor(x_ptr, [A, B, C], [B * C, C, 1], [TA, TB, TC])
    dst = tl.make_tensor_descriptor(out_ptr, [A, B, C], [B * C, C, 1], [TA, TB, TC])
    at = [tl.program_id(0) * TA, tl.program_id(1) * TB, 0]
    dst.store(at, src.load(at) + 1.0)


@case("descriptors/three_dimensions")
def three_dimensional_case(make):
    x, out = make.normal(5, 6, 16), make.output(5, 6, 16)
    make.launch(three_dimensional_descriptor, (3, 2), x, out, 5, 6, 16, TA=2, TB=4, TC=16)
    make.expect(out, x.values + 1)


@triton.jit
def descriptor_atomic_add(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    src = tl.make_tensor_descriptor(x_ptr, [rows, cols], [cols, 1], [R, C])
    dst = tl.make_tensor_descriptor(out_ptr, [R, C], [C, 1], [R, C])
    dst.atomic_add([0, 0], src.load([tl.program_id(0) * R, 0]))


@case("descriptors/atomic_add", no_interpreter="it has no reductions by descriptors")
def descriptor_atomic_case(make):
    x, out = make.normal(20, 16), make.zeros(8, 16)
    make.launch(descriptor_atomic_add, 3, x, out, 20, 16, R=8, C=16)
    padded = np.zeros((24, 16))
    padded[:20] = x.values
    make.expect(out, padded.reshape(3, 8, 16).sum(0), "sum")
