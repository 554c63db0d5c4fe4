"""Convolutions: direct, by im2col, depthwise, transposed, in one to three dimensions."""
import numpy as np
import triton
import triton.language as tl

from .case import case


def convolve(x, w, stride=1, padding=0, dilation=1):
    """x [N, C, ...], w [O, C, ...]; any number of spatial dimensions."""
    dims = x.ndim - 2
    x = np.pad(x.astype(np.float64), [(0, 0), (0, 0)] + [(padding, padding)] * dims)
    size = [(x.shape[2 + i] - dilation * (w.shape[2 + i] - 1) - 1) // stride + 1 for i in range(dims)]
    out = np.zeros((x.shape[0], w.shape[0], *size))
    for at in np.ndindex(*w.shape[2:]):
        window = tuple(slice(a * dilation, a * dilation + (s - 1) * stride + 1, stride) for a, s in zip(at, size))
        out += np.einsum("nc...,oc->no...", x[(slice(None), slice(None), *window)], w[(slice(None), slice(None), *at)])
    return out


@triton.jit
def conv1d_direct(x_ptr, w_ptr, b_ptr, y_ptr, channels, length, out_channels, out_length, KERNEL: tl.constexpr,
                  STRIDE: tl.constexpr, PADDING: tl.constexpr, BLOCK: tl.constexpr):
    n, o = tl.program_id(0), tl.program_id(1)
    t = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32) + tl.load(b_ptr + o)
    for c in range(channels):
        for k in tl.static_range(KERNEL):
            at = t * STRIDE + k - PADDING
            x = tl.load(x_ptr + (n * channels + c) * length + at, mask=(at >= 0) & (at < length) & (t < out_length), other=0.0)
            acc += x * tl.load(w_ptr + (o * channels + c) * KERNEL + k)
    tl.store(y_ptr + (n * out_channels + o) * out_length + t, acc, mask=t < out_length)


@case("convolution/conv1d_direct")
def conv1d_case(make):
    x, w, b, y = make.normal(2, 3, 50), make.normal(4, 3, 5), make.normal(4), make.output(2, 4, 25)
    make.launch(conv1d_direct, (2, 4, 2), x, w, b, y, 3, 50, 4, 25, KERNEL=5, STRIDE=2, PADDING=2, BLOCK=16)
    make.expect(y, convolve(x.values, w.values, 2, 2) + b.values[:, None], "sum")


@triton.jit
def conv2d_direct(x_ptr, w_ptr, y_ptr, channels, height, width, out_channels, out_height, out_width, stride, padding, dilation,
                  KH: tl.constexpr, KW: tl.constexpr, BH: tl.constexpr, BW: tl.constexpr):
    n = tl.program_id(0) // out_channels
    o = tl.program_id(0) % out_channels
    oy = tl.program_id(1) * BH + tl.arange(0, BH)
    ox = tl.program_id(2) * BW + tl.arange(0, BW)
    acc = tl.zeros((BH, BW), tl.float32)
    for c in range(channels):
        for ky in range(KH):
            for kx in range(KW):
                iy = oy * stride - padding + ky * dilation
                ix = ox * stride - padding + kx * dilation
                inside = ((iy >= 0) & (iy < height))[:, None] & ((ix >= 0) & (ix < width))[None, :]
                x = tl.load(x_ptr + ((n * channels + c) * height + iy[:, None]) * width + ix[None, :], mask=inside, other=0.0)
                acc += x * tl.load(w_ptr + ((o * channels + c) * KH + ky) * KW + kx)
    mask = (oy < out_height)[:, None] & (ox < out_width)[None, :]
    tl.store(y_ptr + ((n * out_channels + o) * out_height + oy[:, None]) * out_width + ox[None, :], acc, mask=mask)


for _name, _stride, _padding, _dilation in (("plain", 1, 0, 1), ("strided", 2, 1, 1), ("dilated", 1, 2, 2)):
    @case(f"convolution/conv2d_direct_{_name}")
    def conv2d_case(make, stride=_stride, padding=_padding, dilation=_dilation):
        x, w = make.normal(2, 3, 13, 15), make.normal(2, 3, 3, 3)
        expected = convolve(x.values, w.values, stride, padding, dilation)
        h, v = expected.shape[2:]
        y = make.output(2, 2, h, v)
        make.launch(conv2d_direct, (4, -(-h // 8), -(-v // 8)), x, w, y, 3, 13, 15, 2, h, v, stride, padding, dilation,
                    KH=3, KW=3, BH=8, BW=8)
        make.expect(y, expected, "sum")


@triton.jit
def conv2d_implicit_gemm(x_ptr, w_ptr, y_ptr, batch, channels, height, width, out_channels, out_height, out_width,
                         KH: tl.constexpr, KW: tl.constexpr, STRIDE: tl.constexpr, PADDING: tl.constexpr,
                         BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pixels = batch * out_height * out_width
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    o = tl.program_id(1) * BN + tl.arange(0, BN)
    n = m // (out_height * out_width)
    oy = (m // out_width) % out_height
    ox = m % out_width
    depth = channels * KH * KW
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, depth, BK):
        k = k0 + tl.arange(0, BK)
        c = k // (KH * KW)
        iy = oy[:, None] * STRIDE - PADDING + ((k // KW) % KH)[None, :]
        ix = ox[:, None] * STRIDE - PADDING + (k % KW)[None, :]
        ok = (m < pixels)[:, None] & (k < depth)[None, :] & (iy >= 0) & (iy < height) & (ix >= 0) & (ix < width)
        x = tl.load(x_ptr + ((n[:, None] * channels + c[None, :]) * height + iy) * width + ix, mask=ok, other=0.0)
        w = tl.load(w_ptr + o[None, :] * depth + k[:, None], mask=(o < out_channels)[None, :] & (k < depth)[:, None], other=0.0)
        acc = tl.dot(x, w, acc, input_precision="ieee")
    at = ((n[:, None] * out_channels + o[None, :]) * out_height + oy[:, None]) * out_width + ox[:, None]
    tl.store(y_ptr + at, acc, mask=(m < pixels)[:, None] & (o < out_channels)[None, :])


for _dtype in ("float32", "float16"):
    @case(f"convolution/conv2d_implicit_gemm_{_dtype}")
    def implicit_gemm_case(make, dtype=_dtype):
        x, w = make.normal(2, 4, 9, 11, dtype=dtype), make.normal(20, 4, 3, 3, dtype=dtype)
        expected = convolve(x.values, w.values.astype(np.float64), 1, 1)
        y = make.output(2, 20, 9, 11)
        make.launch(conv2d_implicit_gemm, (7, 2), x, w, y, 2, 4, 9, 11, 20, 9, 11, KH=3, KW=3, STRIDE=1, PADDING=1, BM=32, BN=16, BK=16)
        make.expect(y, expected, "dot")


@triton.jit
def im2col(x_ptr, out_ptr, channels, height, width, out_height, out_width, KH: tl.constexpr, KW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)  # channel, ky, kx
    c = row // (KH * KW)
    ky = (row // KW) % KH
    kx = row % KW
    p = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    oy, ox = p // out_width, p % out_width
    count = out_height * out_width
    x = tl.load(x_ptr + (c * height + oy + ky) * width + ox + kx, mask=p < count, other=0.0)
    tl.store(out_ptr + row * count + p, x, mask=p < count)


@triton.jit
def small_matmul(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        rk = k0 + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc, input_precision="tf32x3")
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@case("convolution/im2col_then_matmul")
def im2col_case(make):
    x, w, columns, y = make.normal(1, 3, 10, 12), make.normal(6, 3, 3, 3), make.output(27, 80), make.output(1, 6, 8, 10)
    make.launch(im2col, (27, 2), x, columns, 3, 10, 12, 8, 10, KH=3, KW=3, BLOCK=64)
    make.launch(small_matmul, (1, 3), w, columns, y, 6, 80, 27, BM=16, BN=32, BK=16)
    make.expect(y, convolve(x.values, w.values), "dot")


@triton.jit
def conv2d_depthwise(x_ptr, w_ptr, y_ptr, channels, height, width, K: tl.constexpr, BW: tl.constexpr):
    plane = tl.program_id(0)
    y = tl.program_id(1)
    x = tl.arange(0, BW)
    acc = tl.zeros((BW,), tl.float32)
    half: tl.constexpr = K // 2
    for ky in tl.static_range(0, K):
        row = y + ky - half
        if (row >= 0) & (row < height):
            for kx in tl.static_range(0, K):
                col = x + kx - half
                v = tl.load(x_ptr + (plane * height + row) * width + col, mask=(col >= 0) & (col < width), other=0.0)
                acc += v * tl.load(w_ptr + ((plane % channels) * K + ky) * K + kx)
    tl.store(y_ptr + (plane * height + y) * width + x, acc, mask=x < width)


@case("convolution/conv2d_depthwise_row_branches")
def depthwise_case(make):
    x, w, y = make.normal(2, 3, 7, 20), make.normal(3, 3, 3), make.output(2, 3, 7, 20)
    make.launch(conv2d_depthwise, (6, 7), x, w, y, 3, 7, 20, K=3, BW=32)
    expected = np.concatenate([convolve(x.values[:, c:c + 1], w.values[None, c:c + 1], 1, 1) for c in range(3)], 1)
    make.expect(y, expected, "sum")


@triton.jit
def conv1d_transposed(x_ptr, w_ptr, y_ptr, channels, length, out_channels, out_length, STRIDE: tl.constexpr, K: tl.constexpr,
                      BLOCK: tl.constexpr):
    n, o = tl.program_id(0), tl.program_id(1)
    t = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for c in range(channels):
        for k in range(K):
            from_t = t - k
            i = from_t // STRIDE
            ok = (from_t >= 0) & (from_t % STRIDE == 0) & (i < length)
            acc += tl.load(x_ptr + (n * channels + c) * length + i, mask=ok, other=0.0) * tl.load(w_ptr + (c * out_channels + o) * K + k)
    tl.store(y_ptr + (n * out_channels + o) * out_length + t, acc, mask=t < out_length)


@case("convolution/conv1d_transposed")
def transposed_case(make):
    x, w, y = make.normal(2, 3, 20), make.normal(3, 2, 4), make.output(2, 2, 42)
    make.launch(conv1d_transposed, (2, 2, 2), x, w, y, 3, 20, 2, 42, STRIDE=2, K=4, BLOCK=32)
    expected = np.zeros((2, 2, 42))
    for i in range(20):
        expected[:, :, 2 * i:2 * i + 4] += np.einsum("nc,cok->nok", x.values[:, :, i].astype(np.float64), w.values)
    make.expect(y, expected, "sum")


@triton.jit
def conv2d_transposed_scatter(x_ptr, w_ptr, y_ptr, channels, height, width, out_channels, out_height, out_width,
                              STRIDE: tl.constexpr, K: tl.constexpr, BW: tl.constexpr):
    n = tl.program_id(0)
    row = tl.program_id(1)
    o = tl.program_id(2)
    x = tl.arange(0, BW)
    for c in range(channels):
        v = tl.load(x_ptr + ((n * channels + c) * height + row) * width + x, mask=x < width, other=0.0)
        for ky in range(K):
            for kx in range(K):
                w = tl.load(w_ptr + ((c * out_channels + o) * K + ky) * K + kx)
                at = ((n * out_channels + o) * out_height + row * STRIDE + ky) * out_width + x * STRIDE + kx
                tl.atomic_add(y_ptr + at, v * w, mask=x < width)


@case("convolution/conv2d_transposed_by_atomics")
def transposed_scatter_case(make):
    x, w, y = make.normal(1, 2, 5, 6), make.normal(2, 3, 3, 3), make.zeros(1, 3, 11, 13)
    make.launch(conv2d_transposed_scatter, (1, 5, 3), x, w, y, 2, 5, 6, 3, 11, 13, STRIDE=2, K=3, BW=8)
    expected = np.zeros((1, 3, 11, 13))
    for i in range(5):
        for j in range(6):
            expected[:, :, 2 * i:2 * i + 3, 2 * j:2 * j + 3] += np.einsum("nc,coyx->noyx", x.values[:, :, i, j].astype(np.float64), w.values)
    make.expect(y, expected, "sum")


@triton.jit
def conv3d_direct(x_ptr, w_ptr, y_ptr, C, D, H, W, O, OD, OH, OW, K: tl.constexpr, BLOCK: tl.constexpr):
    n, o = tl.program_id(0), tl.program_id(1)
    p = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    count = OD * OH * OW
    z, y, x = p // (OH * OW), (p // OW) % OH, p % OW
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for c in range(C):
        for kz in range(K):
            for ky in range(K):
                for kx in tl.static_range(K):
                    at = (((n * C + c) * D + z + kz) * H + y + ky) * W + x + kx
                    weight = tl.load(w_ptr + (((o * C + c) * K + kz) * K + ky) * K + kx)
                    acc += weight * tl.load(x_ptr + at, mask=p < count, other=0.0)
    tl.store(y_ptr + (n * O + o) * count + p, acc, mask=p < count)


@case("convolution/conv3d_direct")
def conv3d_case(make):
    x, w, y = make.normal(1, 2, 5, 6, 7), make.normal(2, 2, 2, 2, 2), make.output(1, 2, 4, 5, 6)
    make.launch(conv3d_direct, (1, 2, 2), x, w, y, 2, 5, 6, 7, 2, 4, 5, 6, K=2, BLOCK=64)
    make.expect(y, convolve(x.values, w.values), "sum")


@triton.jit
def conv2d_pointwise_channels_last(x_ptr, w_ptr, b_ptr, y_ptr, pixels, CIN: tl.constexpr, COUT: tl.constexpr, BP: tl.constexpr):
    p = tl.program_id(0) * BP + tl.arange(0, BP)
    i, o = tl.arange(0, CIN), tl.arange(0, COUT)
    x = tl.load(x_ptr + p[:, None] * CIN + i[None, :], mask=p[:, None] < pixels, other=0.0)
    w = tl.load(w_ptr + o[None, :] * CIN + i[:, None])
    y = tl.dot(x, w) + tl.load(b_ptr + o)[None, :]
    tl.store(y_ptr + p[:, None] * COUT + o[None, :], tl.maximum(y, 0.0).to(y_ptr.dtype.element_ty), mask=p[:, None] < pixels)


@case("convolution/conv2d_1x1_channels_last_f16")
def pointwise_conv_case(make):
    x, w, b = make.normal(70, 16, dtype="float16"), make.normal(32, 16, dtype="float16"), make.normal(32, dtype="float16")
    y = make.output(70, 32, dtype="float16")
    make.launch(conv2d_pointwise_channels_last, 3, x, w, b, y, 70, CIN=16, COUT=32, BP=32)
    make.expect(y, np.maximum(x.values.astype(np.float64) @ w.values.T.astype(np.float64) + b.values, 0), "dot")


@triton.jit
def causal_conv1d_update(x_ptr, state_ptr, w_ptr, y_ptr, channels, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = c < channels
    x = tl.load(x_ptr + n * channels + c, mask=mask)
    acc = x * tl.load(w_ptr + c * WIDTH + (WIDTH - 1), mask=mask)
    for k in tl.static_range(WIDTH - 1):
        old = tl.load(state_ptr + (n * channels + c) * (WIDTH - 1) + k, mask=mask)
        acc += old * tl.load(w_ptr + c * WIDTH + k, mask=mask)
        if k > 0:
            tl.store(state_ptr + (n * channels + c) * (WIDTH - 1) + k - 1, old, mask=mask)
    tl.store(state_ptr + (n * channels + c) * (WIDTH - 1) + WIDTH - 2, x, mask=mask)
    tl.store(y_ptr + n * channels + c, acc * tl.sigmoid(acc), mask=mask)


@case("convolution/causal_conv1d_state_update")
def causal_update_case(make):
    x, state, w, y = make.normal(3, 20), make.normal(3, 20, 3), make.normal(20, 4), make.output(3, 20)
    make.launch(causal_conv1d_update, (3, 2), x, state, w, y, 20, WIDTH=4, BLOCK=16)
    window = np.concatenate([state.values, x.values[..., None]], -1)
    z = (window.astype(np.float64) * w.values).sum(-1)
    make.expect(state, window[..., 1:], "exact")
    make.expect(y, z / (1 + np.exp(-z)))
