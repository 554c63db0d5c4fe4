"""Products with what comes before and after them: activations, scales, packed weights, a second product."""
import numpy as np
import triton
import triton.language as tl

from .case import case
from .matmul import product


@triton.jit
def relu_of(x):
    return tl.maximum(x, 0.0)


@triton.jit
def leaky_of(x):
    return tl.where(x > 0, x, 0.1 * x)


@triton.jit
def linear_with_activation(x_ptr, w_ptr, bias_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                           ACTIVATION: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        rk = k0 + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        w = tl.load(w_ptr + rn[:, None] * K + rk[None, :], mask=(rn[:, None] < N) & (rk[None, :] < K), other=0.0)
        acc = tl.dot(x, tl.trans(w), acc)
    acc += tl.load(bias_ptr + rn, mask=rn < N, other=0.0)[None, :]
    if ACTIVATION is not None:
        acc = ACTIVATION(acc)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc.to(y_ptr.dtype.element_ty), mask=(rm[:, None] < M) & (rn[None, :] < N))


for _activation in (None, relu_of, leaky_of):
    @case(f"fused_matmul/linear_{'plain' if _activation is None else 'relu' if _activation is relu_of else 'leaky'}_f16")
    def linear_case(make, activation=_activation):
        m, n, k = 35, 40, 50
        x, w, bias = make.normal(m, k, dtype="float16"), make.normal(n, k, dtype="float16"), make.normal(n, dtype="float16")
        y = make.output(m, n, dtype="float16")
        make.launch(linear_with_activation, (2, 2), x, w, bias, y, m, n, k, BM=32, BN=32, BK=32, ACTIVATION=activation)
        z = product(x.values, w.values.T) + bias.values
        make.expect(y, z if activation is None else np.maximum(z, 0) if activation is relu_of else np.where(z > 0, z, 0.1 * z), "dot")


@triton.jit
def int8_matmul_dequantized(a_ptr, b_ptr, sa_ptr, sb_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.int32)
    for k0 in range(0, K, BK):
        rk = k0 + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0)
        b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0)
        acc = tl.dot(a, b, acc, out_dtype=tl.int32)
    scale = tl.load(sa_ptr + rm, mask=rm < M)[:, None] * tl.load(sb_ptr + rn, mask=rn < N)[None, :]
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], (acc.to(tl.float32) * scale).to(tl.float16),
             mask=(rm[:, None] < M) & (rn[None, :] < N))


@case("fused_matmul/int8_with_row_and_column_scales")
def int8_dequantized_case(make):
    m, n, k = 20, 40, 70
    a, b = make.bits(m, k, dtype="int8"), make.bits(k, n, dtype="int8")
    sa, sb = make.uniform(m, low=0.001, high=0.01), make.uniform(n, low=0.001, high=0.01)
    c = make.output(m, n, dtype="float16")
    make.launch(int8_matmul_dequantized, (2, 2), a, b, sa, sb, c, m, n, k, BM=16, BN=32, BK=32)
    make.expect(c, product(a.values, b.values) * sa.values[:, None] * sb.values, "dot")


@triton.jit
def matmul_int4_weights(x_ptr, packed_ptr, scale_ptr, y_ptr, M, N, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, K)
    word = tl.load(packed_ptr + (rk[:, None] // 8) * N + rn[None, :], mask=rn[None, :] < N, other=0)
    nibble = (word >> ((rk[:, None] % 8) * 4)) & 0xF
    w = (nibble - 8).to(tl.float16) * tl.load(scale_ptr + rn, mask=rn < N, other=0.0)[None, :]
    x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=rm[:, None] < M, other=0.0)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], tl.dot(x, w), mask=(rm[:, None] < M) & (rn[None, :] < N))


@case("fused_matmul/int4_packed_weights")
def matmul_int4_case(make):
    m, n, k = 18, 30, 32
    x, packed, scale, y = make.normal(m, k, dtype="float16"), make.bits(k // 8, n), make.uniform(n, dtype="float16"), make.output(m, n)
    make.launch(matmul_int4_weights, (2, 1), x, packed, scale, y, m, n, K=k, BM=16, BN=32)
    nibbles = (packed.values[np.arange(k) // 8] >> ((np.arange(k) % 8) * 4)[:, None]) & 15
    w = ((nibbles - 8).astype(np.float16) * scale.values).astype(np.float64)
    make.expect(y, x.values.astype(np.float64) @ w, "dot")


@triton.jit
def gram_upper(x_ptr, out_ptr, n, d, B: tl.constexpr, D: tl.constexpr):
    pi, pj = tl.program_id(0), tl.program_id(1)
    if pj < pi:
        return
    ri = pi * B + tl.arange(0, B)
    rj = pj * B + tl.arange(0, B)
    rd = tl.arange(0, D)
    xi = tl.load(x_ptr + ri[:, None] * d + rd[None, :], mask=(ri[:, None] < n) & (rd[None, :] < d), other=0.0)
    xj = tl.load(x_ptr + rj[:, None] * d + rd[None, :], mask=(rj[:, None] < n) & (rd[None, :] < d), other=0.0)
    tile = tl.dot(xi, xj.T, input_precision="ieee")
    inside = (ri[:, None] < n) & (rj[None, :] < n)
    tl.store(out_ptr + ri[:, None] * n + rj[None, :], tile, mask=inside)
    if pj > pi:
        tl.store(out_ptr + rj[:, None] * n + ri[None, :], tl.trans(tile), mask=(rj[:, None] < n) & (ri[None, :] < n))


@case("fused_matmul/gram_matrix_by_symmetry")
def gram_case(make):
    x, out = make.normal(40, 20), make.output(40, 40)
    make.launch(gram_upper, (3, 3), x, out, 40, 20, B=16, D=32)
    make.expect(out, product(x.values, x.values.T), "dot")


@triton.jit
def two_layer_perceptron(x_ptr, w1_ptr, w2_ptr, y_ptr, M, D: tl.constexpr, H: tl.constexpr, BM: tl.constexpr, BH: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    x = tl.load(x_ptr + rm[:, None] * D + rd[None, :], mask=rm[:, None] < M, other=0.0)
    acc = tl.zeros((BM, D), tl.float32)
    for h0 in range(0, H, BH):
        rh = h0 + tl.arange(0, BH)
        w1 = tl.load(w1_ptr + rd[:, None] * H + rh[None, :])
        hidden = tl.maximum(tl.dot(x, w1), 0.0).to(tl.float16)
        w2 = tl.load(w2_ptr + rh[:, None] * D + rd[None, :])
        acc = tl.dot(hidden, w2, acc)
    tl.store(y_ptr + rm[:, None] * D + rd[None, :], acc, mask=rm[:, None] < M)


@case("fused_matmul/two_chained_products")
def perceptron_case(make):
    m, d, h = 25, 32, 64
    x, w1, w2 = make.normal(m, d, dtype="float16"), make.normal(d, h, dtype="float16"), make.normal(h, d, dtype="float16", scale=0.2)
    y = make.output(m, d)
    make.launch(two_layer_perceptron, 2, x, w1, w2, y, m, D=d, H=h, BM=16, BH=32)
    hidden = np.maximum(product(x.values, w1.values), 0).astype(np.float16)
    make.expect(y, product(hidden, w2.values), "dot", rtol=2e-3, atol=2e-2)
