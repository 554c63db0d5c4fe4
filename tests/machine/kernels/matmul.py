"""Matrix products: every precision, order and epilogue."""
import numpy as np
import triton
import triton.language as tl

from .case import case


def product(a, b):
    return a.astype(np.float64) @ b.astype(np.float64)


def tf32(x):
    """Without the bits below TF32's ten, as the matrix units read it."""
    return (x.astype(np.float32).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


@triton.jit
def matmul_tiled(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
                 BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, PRECISION: tl.constexpr):
    pid = tl.program_id(0)
    num_m = tl.cdiv(M, BM)
    num_n = tl.cdiv(N, BN)
    in_group = GROUP * num_n
    group = pid // in_group
    first_m = group * GROUP
    size_m = min(num_m - first_m, GROUP)
    pid_m = first_m + ((pid % in_group) % size_m)
    pid_n = (pid % in_group) // size_m
    rm = pid_m * BM + tl.arange(0, BM)
    rn = pid_n * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + (rm[:, None] * stride_am + rk[None, :] * stride_ak)
    b_ptrs = b_ptr + (rk[:, None] * stride_bk + rn[None, :] * stride_bn)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        left = K - k * BK
        a = tl.load(a_ptrs, mask=(rm[:, None] < M) & (rk[None, :] < left), other=0.0)
        b = tl.load(b_ptrs, mask=(rk[:, None] < left) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc, input_precision=PRECISION)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    c_ptrs = c_ptr + stride_cm * rm[:, None] + stride_cn * rn[None, :]
    tl.store(c_ptrs, acc.to(c_ptr.dtype.element_ty), mask=(rm[:, None] < M) & (rn[None, :] < N))


for _dtype, _precision in (("float32", "ieee"), ("float32", "tf32"), ("float32", "tf32x3"), ("float16", "tf32"), ("bfloat16", "tf32"),
                           ("float8_e4m3fn", "tf32"), ("float8_e5m2", "tf32")):
    _label = _precision if _dtype == "float32" else _dtype

    @case(f"matmul/grouped_{_label}", no_interpreter="it multiplies the bits of bfloat16" if _dtype == "bfloat16" else "")
    def matmul_tiled_case(make, dtype=_dtype, precision=_precision):
        m, n, k = 70, 50, 90
        a, b, c = make.normal(m, k, dtype=dtype), make.normal(k, n, dtype=dtype), make.output(m, n)
        make.launch(matmul_tiled, 6, a, b, c, m, n, k, k, 1, n, 1, n, 1, BM=32, BN=32, BK=32, GROUP=2, PRECISION=precision)
        if precision == "tf32" and dtype == "float32":
            make.expect(c, product(tf32(a.values), tf32(b.values)), rtol=1e-4, atol=1e-3, interpreter="tf32")
        else:
            make.expect(c, product(a.values, b.values), "dot")


@case("matmul/transposed_operands_f16")
def matmul_transposed_case(make):
    m, n, k = 40, 65, 48
    a, b, c = make.normal(k, m, dtype="float16"), make.normal(n, k, dtype="float16"), make.output(m, n, dtype="float16")
    make.launch(matmul_tiled, 6, a, b, c, m, n, k, 1, m, 1, k, n, 1, BM=32, BN=32, BK=16, GROUP=3, PRECISION="tf32")
    make.expect(c, product(a.values.T, b.values.T), "dot")


@triton.jit
def matmul_int8(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.int32)
    for k0 in range(0, K, BK):
        rk = k0 + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0)
        b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0)
        acc += tl.dot(a, b)
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@case("matmul/int8")
def matmul_int8_case(make):
    m, n, k = 33, 40, 100
    a, b = make.bits(m, k, dtype="int8"), make.bits(k, n, dtype="int8")
    c = make.output(m, n, dtype="int32")
    make.launch(matmul_int8, (2, 2), a, b, c, m, n, k, BM=32, BN=32, BK=32)
    make.expect(c, a.values.astype(np.int32) @ b.values.astype(np.int32))


@triton.jit
def matmul_split_k(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLIT: tl.constexpr):
    pid = tl.program_id(0)
    part = tl.program_id(1)
    pid_m = pid // tl.cdiv(N, BN)
    pid_n = pid % tl.cdiv(N, BN)
    rm = pid_m * BM + tl.arange(0, BM)
    rn = pid_n * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(part * BK, K, BK * SPLIT):
        rk = k0 + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * K + rk, mask=(rm < M)[:, None] & (rk < K), other=0.0)
        b = tl.load(b_ptr + rk[:, None] * N + rn, mask=(rk < K)[:, None] & (rn < N), other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
    tl.atomic_add(c_ptr + rm[:, None] * N + rn, acc, mask=(rm < M)[:, None] & (rn < N), sem="relaxed")


@case("matmul/split_k_atomics")
def matmul_split_k_case(make):
    m, n, k = 30, 45, 200
    a, b, c = make.normal(m, k), make.normal(k, n), make.zeros(m, n)
    make.launch(matmul_split_k, (4, 3), a, b, c, m, n, k, BM=16, BN=32, BK=16, SPLIT=3)
    make.expect(c, product(a.values, b.values), "dot")


@triton.jit
def batched_matmul(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    batch = tl.program_id(2)
    a_ptr += batch.to(tl.int64) * M * K
    b_ptr += batch.to(tl.int64) * K * N
    c_ptr += batch.to(tl.int64) * M * N
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        rk = k0 + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b, input_precision="ieee")
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@case("matmul/batched_three_grid_dimensions")
def batched_matmul_case(make):
    a, b, c = make.normal(3, 35, 40), make.normal(3, 40, 20), make.output(3, 35, 20)
    make.launch(batched_matmul, (3, 2, 3), a, b, c, 35, 20, 40, BM=16, BN=16, BK=16)
    make.expect(c, product(a.values, b.values), "dot")


@triton.jit
def dot_once(a_ptr, b_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, OUT: tl.constexpr):
    rm, rn, rk = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    a = tl.load(a_ptr + rm[:, None] * K + rk[None, :])
    b = tl.load(b_ptr + rk[:, None] * N + rn[None, :])
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], tl.dot(a, b, out_dtype=OUT))


@case("matmul/dot_once_out_float16")
def dot_once_half_case(make):
    a, b, c = make.normal(16, 32, dtype="float16"), make.normal(32, 16, dtype="float16"), make.output(16, 16, dtype="float16")
    make.launch(dot_once, 1, a, b, c, M=16, N=16, K=32, OUT=tl.float16)
    make.expect(c, product(a.values, b.values), "dot", rtol=1e-2, atol=3e-2)


for _dtype in ("float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float64"):
    @case(f"matmul/dot_once_{_dtype}", no_interpreter="it multiplies the bits of bfloat16" if _dtype == "bfloat16" else "")
    def dot_once_case(make, dtype=_dtype):
        out = "float64" if dtype == "float64" else "float32"
        a, b, c = make.normal(64, 32, dtype=dtype), make.normal(32, 64, dtype=dtype), make.output(64, 64, dtype=out)
        make.launch(dot_once, 1, a, b, c, M=64, N=64, K=32, OUT=getattr(tl, out))
        make.expect(c, product(a.values, b.values), "dot", gpu="float8_dot" if dtype.startswith("float8") else None)


@case("matmul/dot_once_int8")
def dot_once_integer_case(make):
    a, b, c = make.bits(32, 64, dtype="int8"), make.bits(64, 32, dtype="int8"), make.output(32, 32, dtype="int32")
    make.launch(dot_once, 1, a, b, c, M=32, N=32, K=64, OUT=tl.int32)
    make.expect(c, a.values.astype(np.int32) @ b.values.astype(np.int32))


@triton.jit
def dot_precisions(a_ptr, b_ptr, ieee_ptr, tf32_ptr, tf32x3_ptr, S: tl.constexpr):
    i, j = tl.arange(0, S)[:, None], tl.arange(0, S)[None, :]
    a = tl.load(a_ptr + i * S + j)
    b = tl.load(b_ptr + i * S + j)
    tl.store(ieee_ptr + i * S + j, tl.dot(a, b, input_precision="ieee"))
    tl.store(tf32_ptr + i * S + j, tl.dot(a, b, input_precision="tf32"))
    tl.store(tf32x3_ptr + i * S + j, tl.dot(a, b, input_precision="tf32x3"))


@case("matmul/three_precisions_side_by_side")
def dot_precisions_case(make):
    a, b = make.normal(32, 32), make.normal(32, 32)
    one, two, three = make.output(32, 32), make.output(32, 32), make.output(32, 32)
    make.launch(dot_precisions, 1, a, b, one, two, three, S=32)
    make.expect(one, product(a.values, b.values), "dot")
    make.expect(two, product(tf32(a.values), tf32(b.values)), rtol=1e-4, atol=1e-3, interpreter="tf32")
    make.expect(three, product(a.values, b.values), "dot")


@triton.jit
def dot_three_dimensional(a_ptr, b_ptr, c_ptr, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rb = tl.arange(0, B)[:, None, None]
    m, n = tl.arange(0, M), tl.arange(0, N)
    k = tl.arange(0, K)
    a = tl.load(a_ptr + rb * (M * K) + m[None, :, None] * K + k[None, None, :])
    b = tl.load(b_ptr + rb * (K * N) + k[None, :, None] * N + n[None, None, :])
    c = tl.dot(a, b, input_precision="ieee")
    tl.store(c_ptr + rb * (M * N) + m[None, :, None] * N + n[None, None, :], c)


for _dtype in ("float32", "float16"):
    @case(f"matmul/dot_of_three_dimensions_{_dtype}")
    def dot_three_case(make, dtype=_dtype):
        a, b, c = make.normal(4, 16, 32, dtype=dtype), make.normal(4, 32, 16, dtype=dtype), make.output(4, 16, 16)
        make.launch(dot_three_dimensional, 1, a, b, c, B=4, M=16, N=16, K=32)
        make.expect(c, product(a.values, b.values), "dot")


@triton.jit
def matmul_persistent(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    tiles_n = tl.cdiv(N, BN)
    tiles = tl.cdiv(M, BM) * tiles_n
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0), flatten=True):
        rm = (tile // tiles_n) * BM + tl.arange(0, BM)
        rn = (tile % tiles_n) * BN + tl.arange(0, BN)
        # wrapped indices instead of masks along M and N
        am, bn = rm % M, rn % N
        acc = tl.zeros((BM, BN), tl.float32)
        for k0 in tl.range(0, K, BK, num_stages=2):
            rk = k0 + tl.arange(0, BK)
            a = tl.load(a_ptr + am[:, None] * K + rk[None, :], mask=rk[None, :] < K, other=0.0)
            b = tl.load(b_ptr + rk[:, None] * N + bn[None, :], mask=rk[:, None] < K, other=0.0)
            acc = tl.dot(a, b, acc)
        tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@case("matmul/persistent_wrapped_f16")
def matmul_persistent_case(make):
    m, n, k = 50, 60, 40
    a, b, c = make.normal(m, k, dtype="float16"), make.normal(k, n, dtype="float16"), make.output(m, n)
    make.launch(matmul_persistent, 3, a, b, c, m, n, k, BM=16, BN=32, BK=16, num_warps=2, num_stages=2)
    make.expect(c, product(a.values, b.values), "dot")


@triton.jit
def matmul_swizzled(a_ptr, b_ptr, c_ptr, M, N, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, GROUP: tl.constexpr):
    pm, pn = tl.swizzle2d(tl.program_id(0), tl.program_id(1), tl.num_programs(0), tl.num_programs(1), GROUP)
    rm = tl.max_contiguous(tl.multiple_of((pm * BM + tl.arange(0, BM)) % M, BM), BM)
    rn = (pn * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, K)
    a = tl.load(a_ptr + rm[:, None] * K + rk[None, :])
    b = tl.load(b_ptr + rk[:, None] * N + rn[None, :])
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], tl.dot(a, b, input_precision="ieee"))


@case("matmul/swizzle2d")
def matmul_swizzled_case(make):
    a, b, c = make.normal(64, 32), make.normal(32, 48), make.output(64, 48)
    make.launch(matmul_swizzled, (4, 3), a, b, c, 64, 48, K=32, BM=16, BN=16, GROUP=2)
    make.expect(c, product(a.values, b.values), "dot")


@triton.jit
def matrix_vector(a_ptr, x_ptr, y_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    acc = tl.zeros((R,), tl.float32)
    for c0 in range(0, cols, C):
        c = c0 + tl.arange(0, C)
        a = tl.load(a_ptr + r[:, None] * cols + c[None, :], mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
        x = tl.load(x_ptr + c, mask=c < cols, other=0.0)
        acc += tl.sum(a * x[None, :], axis=1)
    tl.store(y_ptr + r, acc, mask=r < rows)


@case("matmul/matrix_vector")
def matrix_vector_case(make):
    a, x, y = make.normal(45, 70), make.normal(70), make.output(45)
    make.launch(matrix_vector, 3, a, x, y, 45, 70, R=16, C=32)
    make.expect(y, product(a.values, x.values), "sum")


@triton.jit
def matmul_without_dot(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(K):
        a = tl.load(a_ptr + rm * K + k, mask=rm < M, other=0.0)
        b = tl.load(b_ptr + k * N + rn, mask=rn < N, other=0.0)
        acc += a[:, None] * b[None, :]
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@case("matmul/outer_products_with_odd_tile")
def matmul_without_dot_case(make):
    a, b, c = make.normal(13, 21), make.normal(21, 17), make.output(13, 17)
    make.launch(matmul_without_dot, (4, 3), a, b, c, 13, 17, 21, BM=4, BN=8)
    make.expect(c, product(a.values, b.values), "sum")


@triton.jit
def matmul_nested_strides(a_ptr, b_ptr, c_ptr, stride_a0, stride_a1, stride_b0, stride_b1, stride_c0, stride_c1,
                          S: tl.constexpr):
    i = tl.arange(0, S)
    a = tl.load(a_ptr + i[:, None] * stride_a0 + i[None, :] * stride_a1)
    b = tl.load(b_ptr + i[:, None] * stride_b0 + i[None, :] * stride_b1)
    tl.store(c_ptr + i[:, None] * stride_c0 + i[None, :] * stride_c1, tl.dot(a, b, input_precision="ieee"))


@case("matmul/strided_views")
def matmul_strided_case(make):
    a, b, c = make.normal(16, 3, 16), make.normal(16, 16), make.zeros(16, 32)
    make.launch(matmul_nested_strides, 1, a.at(16), b, c, 48, 1, 1, 16, 32, 2, S=16)
    expected = np.zeros((16, 32))
    expected[:, ::2] = product(a.values[:, 1], b.values.T)
    make.expect(c, expected, "dot")
