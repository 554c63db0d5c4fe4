"""tl.make_block_ptr with boundary checks and tl.advance."""
import numpy as np
import triton
import triton.language as tl

from .case import case
from .matmul import product


@triton.jit
def matmul_block_pointers(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm, pn = tl.program_id(0), tl.program_id(1)
    a = tl.make_block_ptr(base=a_ptr, shape=(M, K), strides=(K, 1), offsets=(pm * BM, 0), block_shape=(BM, BK), order=(1, 0))
    b = tl.make_block_ptr(base=b_ptr, shape=(K, N), strides=(N, 1), offsets=(0, pn * BN), block_shape=(BK, BN), order=(1, 0))
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")
        acc = tl.dot(x, y, acc, input_precision="ieee")
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, (BK, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (N, 1), (pm * BM, pn * BN), (BM, BN), (1, 0))
    tl.store(c, acc.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


@case("block_pointers/matmul")
def matmul_block_pointers_case(make):
    m, n, k = 37, 41, 53
    a, b, c = make.normal(m, k), make.normal(k, n), make.output(m, n)
    make.launch(matmul_block_pointers, (3, 3), a, b, c, m, n, k, BM=16, BN=16, BK=16)
    make.expect(c, product(a.values, b.values), "dot")


@triton.jit
def copy_block_pointer(x_ptr, out_ptr, rows, cols, stride, R: tl.constexpr, C: tl.constexpr):
    src = tl.make_block_ptr(x_ptr, (rows, cols), (stride, 1), (tl.program_id(0) * R, tl.program_id(1) * C), (R, C), (1, 0))
    dst = tl.make_block_ptr(out_ptr, (rows, cols), (cols, 1), (tl.program_id(0) * R, tl.program_id(1) * C), (R, C), (1, 0))
    tl.store(dst, tl.load(src, boundary_check=(0, 1)), boundary_check=(0, 1))


@case("block_pointers/copy_with_row_stride")
def copy_case(make):
    x, out = make.normal(21, 40), make.output(21, 33)
    make.launch(copy_block_pointer, (3, 3), x, out, 21, 33, 40, R=8, C=16)
    make.expect(out, x.values[:, :33], "exact")


@triton.jit
def transpose_block_pointer(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    pr, pc = tl.program_id(0), tl.program_id(1)
    src = tl.make_block_ptr(x_ptr, (rows, cols), (cols, 1), (pr * R, pc * C), (R, C), (1, 0))
    dst = tl.make_block_ptr(out_ptr, (cols, rows), (rows, 1), (pc * C, pr * R), (C, R), (1, 0))
    tile = tl.load(src, boundary_check=(0, 1), padding_option="zero")
    tl.store(dst, tl.trans(tile), boundary_check=(0, 1))


@case("block_pointers/transpose")
def transpose_case(make):
    x, out = make.normal(25, 37), make.output(37, 25)
    make.launch(transpose_block_pointer, (2, 3), x, out, 25, 37, R=16, C=16)
    make.expect(out, x.values.T, "exact")


@triton.jit
def row_sum_advancing(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, shape=(rows, cols), strides=(cols, 1), offsets=(tl.program_id(0) * R, 0), block_shape=(R, C), order=(1, 0))
    acc = tl.zeros((R,), tl.float32)
    for _ in range(0, tl.cdiv(cols, C)):
        acc += tl.sum(tl.load(p, boundary_check=(0, 1), padding_option="zero").to(tl.float32), 1)
        p = tl.advance(p, (0, C))
    out = tl.make_block_ptr(out_ptr, (rows,), (1,), (tl.program_id(0) * R,), (R,), (0,))
    tl.store(out, acc, boundary_check=(0,))


@case("block_pointers/row_sum_advancing_f16")
def row_sum_case(make):
    x, out = make.normal(19, 70, dtype="float16"), make.output(19)
    make.launch(row_sum_advancing, 3, x, out, 19, 70, R=8, C=32)
    make.expect(out, x.values.astype(np.float64).sum(1), "sum")


@triton.jit
def nan_padding(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))
    x = tl.load(p, boundary_check=(0,), padding_option="nan")
    tl.store(out_ptr + tl.arange(0, BLOCK), x)


@case("block_pointers/padding_with_nan")
def nan_padding_case(make):
    x, out = make.normal(50), make.output(64)
    make.launch(nan_padding, 1, x, out, 50, BLOCK=64)
    make.expect(out, np.concatenate([x.values, np.full(14, np.nan)]), "exact")


@triton.jit
def window_of_image(x_ptr, out_ptr, height, width, top, left, H: tl.constexpr, W: tl.constexpr):
    p = tl.make_block_ptr(x_ptr, (height, width), (width, 1), (top, left), (H, W), (1, 0))
    tile = tl.load(p, boundary_check=(0, 1), padding_option="zero")
    tl.store(tl.make_block_ptr(out_ptr, (H, W), (W, 1), (0, 0), (H, W), (1, 0)), tile)


@case("block_pointers/window_with_negative_offset")
def window_case(make):
    x, out = make.normal(10, 12), make.output(8, 8)
    make.launch(window_of_image, 1, x, out, 10, 12, -3, 7, H=8, W=8)
    expected = np.zeros((8, 8))
    expected[3:8, 0:5] = x.values[0:5, 7:12]
    make.expect(out, expected, "exact")


@triton.jit
def matmul_column_major(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a = tl.make_block_ptr(a_ptr, (M, K), (1, M), (tl.program_id(0) * BM, 0), (BM, BK), (0, 1))
    b = tl.make_block_ptr(b_ptr, (K, N), (1, K), (0, tl.program_id(1) * BN), (BK, BN), (0, 1))
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc += tl.dot(tl.load(a, boundary_check=(1,)), tl.load(b, boundary_check=(0,)))
        a = tl.advance(a, (0, BK))
        b = tl.advance(b, (BK, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (N, 1), (tl.program_id(0) * BM, tl.program_id(1) * BN), (BM, BN), (1, 0))
    tl.store(c, acc.to(tl.float16))


@case("block_pointers/matmul_column_major_f16")
def column_major_case(make):
    m, n, k = 32, 48, 56
    a, b, c = make.normal(k, m, dtype="float16"), make.normal(n, k, dtype="float16"), make.output(m, n, dtype="float16")
    make.launch(matmul_column_major, (2, 3), a, b, c, m, n, k, BM=16, BN=16, BK=32)
    make.expect(c, product(a.values.T, b.values.T), "dot")


@triton.jit
def three_dimensional_block(x_ptr, out_ptr, A, B, C, TA: tl.constexpr, TB: tl.constexpr, TC: tl.constexpr):
    at = (tl.program_id(0) * TA, tl.program_id(1) * TB, 0)
    src = tl.make_block_ptr(x_ptr, (A, B, C), (B * C, C, 1), at, (TA, TB, TC), (2, 1, 0))
    dst = tl.make_block_ptr(out_ptr, (A, B, C), (B * C, C, 1), at, (TA, TB, TC), (2, 1, 0))
    tl.store(dst, tl.load(src, boundary_check=(0, 1, 2), padding_option="zero") * 2, boundary_check=(0, 1, 2))


@case("block_pointers/three_dimensions_int32")
def three_dimensions_case(make):
    x, out = make.bits(5, 6, 7), make.output(5, 6, 7, dtype="int32")
    make.launch(three_dimensional_block, (3, 2), x, out, 5, 6, 7, TA=2, TB=4, TC=8)
    with np.errstate(over="ignore"):
        make.expect(out, x.values * np.int32(2))
