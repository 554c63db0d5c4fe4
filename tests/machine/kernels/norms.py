"""Normalisation layers, forward."""
import numpy as np
import triton
import triton.language as tl

from .case import case


@triton.jit
def layer_norm_fwd(x_ptr, y_ptr, w_ptr, b_ptr, mean_ptr, rstd_ptr, stride, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    y_ptr += row * stride
    x_ptr += row * stride
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, n, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + cols, mask=cols < n, other=0.).to(tl.float32)
    mean = tl.sum(acc, axis=0) / n
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, n, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + cols, mask=cols < n, other=0.).to(tl.float32)
        x = tl.where(cols < n, x - mean, 0.)
        acc += x * x
    rstd = 1 / tl.sqrt(tl.sum(acc, axis=0) / n + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for off in range(0, n, BLOCK):
        cols = off + tl.arange(0, BLOCK)
        mask = cols < n
        w = tl.load(w_ptr + cols, mask=mask)
        b = tl.load(b_ptr + cols, mask=mask)
        x = tl.load(x_ptr + cols, mask=mask, other=0.).to(tl.float32)
        tl.store(y_ptr + cols, (x - mean) * rstd * w + b, mask=mask)


for _dtype in ("float32", "float16"):
    @case(f"norms/layer_norm_{_dtype}")
    def layer_norm_case(make, dtype=_dtype):
        x, w, b = make.normal(9, 150, dtype=dtype, shift=0.5), make.normal(150, dtype=dtype), make.normal(150, dtype=dtype)
        y, mean, rstd = make.output(9, 150, dtype=dtype), make.output(9), make.output(9)
        make.launch(layer_norm_fwd, 9, x, y, w, b, mean, rstd, 150, 150, 1e-5, BLOCK=64)
        v = x.values.astype(np.float64)
        m, r = v.mean(1), 1 / np.sqrt(v.var(1) + 1e-5)
        make.expect(y, (v - m[:, None]) * r[:, None] * w.values + b.values, "sum")
        make.expect(mean, m)
        make.expect(rstd, r, "sum")


@triton.jit
def rms_norm(x_ptr, w_ptr, y_ptr, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < cols
    x = tl.load(x_ptr + row * cols + c, mask=mask, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(x * x) / cols + eps)
    w = tl.load(w_ptr + c, mask=mask).to(tl.float32)
    tl.store(y_ptr + row * cols + c, (x * scale * w).to(y_ptr.dtype.element_ty), mask=mask)


for _dtype in ("float32", "bfloat16"):
    @case(f"norms/rms_norm_{_dtype}")
    def rms_norm_case(make, dtype=_dtype):
        x, w, y = make.normal(5, 200, dtype=dtype), make.normal(200, dtype=dtype), make.output(5, 200, dtype=dtype)
        make.launch(rms_norm, 5, x, w, y, 200, 1e-6, BLOCK=256)
        v = x.values.astype(np.float64)
        make.expect(y, v / np.sqrt((v * v).mean(1, keepdims=True) + 1e-6) * w.values)


@triton.jit
def layer_norm_backward_dx(dy_ptr, x_ptr, w_ptr, mean_ptr, rstd_ptr, dx_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < cols
    x = tl.load(x_ptr + row * cols + c, mask=mask, other=0.0)
    dy = tl.load(dy_ptr + row * cols + c, mask=mask, other=0.0)
    w = tl.load(w_ptr + c, mask=mask, other=0.0)
    mean = tl.load(mean_ptr + row)
    rstd = tl.load(rstd_ptr + row)
    xhat = tl.where(mask, (x - mean) * rstd, 0.0)
    wdy = tl.where(mask, w * dy, 0.0)
    c1 = tl.sum(xhat * wdy, axis=0) / cols
    c2 = tl.sum(wdy, axis=0) / cols
    tl.store(dx_ptr + row * cols + c, (wdy - (xhat * c1 + c2)) * rstd, mask=mask)


@case("norms/layer_norm_backward_dx")
def layer_norm_backward_case(make):
    x, dy, w, dx = make.normal(6, 75), make.normal(6, 75), make.normal(75), make.output(6, 75)
    v = x.values.astype(np.float64)
    m, r = v.mean(1), 1 / np.sqrt(v.var(1) + 1e-5)
    mean, rstd = make.array(m, "float32"), make.array(r, "float32")
    make.launch(layer_norm_backward_dx, 6, dy, x, w, mean, rstd, dx, 75, BLOCK=128)
    xhat, wdy = (v - m[:, None]) * r[:, None], dy.values.astype(np.float64) * w.values
    make.expect(dx, (wdy - xhat * (xhat * wdy).mean(1, keepdims=True) - wdy.mean(1, keepdims=True)) * r[:, None], "sum")


@triton.jit
def group_norm(x_ptr, w_ptr, b_ptr, y_ptr, channels, spatial, groups, eps, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    g = tl.program_id(1)
    per_group = channels // groups
    count = per_group * spatial
    base = (n * channels + g * per_group) * spatial
    total = 0.0
    squares = 0.0
    for start in range(0, count, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + base + i, mask=i < count, other=0.0)
        total += tl.sum(x)
        squares += tl.sum(x * x)
    mean = total / count
    rstd = tl.rsqrt(squares / count - mean * mean + eps)
    for start in range(0, count, BLOCK):
        i = start + tl.arange(0, BLOCK)
        mask = i < count
        c = g * per_group + i // spatial
        x = tl.load(x_ptr + base + i, mask=mask)
        w = tl.load(w_ptr + c, mask=mask)
        b = tl.load(b_ptr + c, mask=mask)
        tl.store(y_ptr + base + i, (x - mean) * rstd * w + b, mask=mask)


@case("norms/group_norm")
def group_norm_case(make):
    x, w, b, y = make.normal(2, 6, 35), make.normal(6), make.normal(6), make.output(2, 6, 35)
    make.launch(group_norm, (2, 3), x, w, b, y, 6, 35, 3, 1e-5, BLOCK=32)
    v = x.values.astype(np.float64).reshape(2, 3, 70)
    v = ((v - v.mean(2, keepdims=True)) / np.sqrt(v.var(2, keepdims=True) + 1e-5)).reshape(2, 6, 35)
    make.expect(y, v * w.values[:, None] + b.values[:, None], "sum")


@triton.jit
def batch_norm_statistics(x_ptr, mean_ptr, var_ptr, batch, channels, spatial, BLOCK_N: tl.constexpr, BLOCK_S: tl.constexpr):
    c = tl.program_id(0)
    total = tl.zeros((BLOCK_N, BLOCK_S), tl.float32)
    squares = tl.zeros((BLOCK_N, BLOCK_S), tl.float32)
    for n0 in range(0, batch, BLOCK_N):
        n = n0 + tl.arange(0, BLOCK_N)[:, None]
        for s0 in range(0, spatial, BLOCK_S):
            s = s0 + tl.arange(0, BLOCK_S)[None, :]
            x = tl.load(x_ptr + (n * channels + c) * spatial + s, mask=(n < batch) & (s < spatial), other=0.0)
            total += x
            squares += x * x
    count = batch * spatial
    mean = tl.sum(total) / count
    tl.store(mean_ptr + c, mean)
    tl.store(var_ptr + c, tl.sum(squares) / count - mean * mean)


@triton.jit
def batch_norm_apply(x_ptr, mean_ptr, var_ptr, w_ptr, b_ptr, y_ptr, channels, spatial, n, eps, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    c = (i // spatial) % channels
    x = tl.load(x_ptr + i, mask=mask)
    mean = tl.load(mean_ptr + c, mask=mask)
    var = tl.load(var_ptr + c, mask=mask)
    y = (x - mean) * tl.rsqrt(var + eps) * tl.load(w_ptr + c, mask=mask) + tl.load(b_ptr + c, mask=mask)
    tl.store(y_ptr + i, y, mask=mask)


@case("norms/batch_norm_training")
def batch_norm_case(make):
    n, c, s = 5, 4, 21
    x, w, b, y = make.normal(n, c, s), make.normal(c), make.normal(c), make.output(n, c, s)
    mean, var = make.output(c), make.output(c)
    make.launch(batch_norm_statistics, c, x, mean, var, n, c, s, BLOCK_N=2, BLOCK_S=16)
    make.launch(batch_norm_apply, 4, x, mean, var, w, b, y, c, s, n * c * s, 1e-5, BLOCK=128)
    v = x.values.astype(np.float64)
    m, q = v.mean((0, 2)), v.var((0, 2))
    make.expect(mean, m)
    make.expect(var, q, "sum")
    make.expect(y, (v - m[:, None]) / np.sqrt(q[:, None] + 1e-5) * w.values[:, None] + b.values[:, None], "sum")


@triton.jit
def instance_norm(x_ptr, y_ptr, spatial, eps, BLOCK: tl.constexpr):
    plane = tl.program_id(1) * tl.num_programs(0) + tl.program_id(0)
    s = tl.arange(0, BLOCK)
    mask = s < spatial
    x = tl.load(x_ptr + plane * spatial + s, mask=mask, other=0.0)
    mean = tl.sum(x, 0) / spatial
    centred = tl.where(mask, x - mean, 0.0)
    y = centred / tl.sqrt(tl.sum(centred * centred, 0) / spatial + eps)
    tl.store(y_ptr + plane * spatial + s, y, mask=mask)


@case("norms/instance_norm")
def instance_norm_case(make):
    x, y = make.normal(3, 4, 50), make.output(3, 4, 50)
    make.launch(instance_norm, (4, 3), x, y, 50, 1e-5, BLOCK=64)
    v = x.values.astype(np.float64)
    make.expect(y, (v - v.mean(2, keepdims=True)) / np.sqrt(v.var(2, keepdims=True) + 1e-5), "sum")


@triton.jit
def add_rms_norm(x_ptr, residual_ptr, w_ptr, y_ptr, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < cols
    at = row * cols + c
    h = tl.load(x_ptr + at, mask=mask, other=0.0).to(tl.float32) + tl.load(residual_ptr + at, mask=mask, other=0.0).to(tl.float32)
    tl.store(residual_ptr + at, h.to(residual_ptr.type.element_ty), mask=mask)
    scale = 1.0 / tl.sqrt_rn(tl.sum(h * h, 0) / cols + eps)
    tl.store(y_ptr + at, h * scale * tl.load(w_ptr + c, mask=mask), mask=mask)


@case("norms/add_rms_norm_updates_residual")
def add_rms_norm_case(make):
    x, residual = make.normal(4, 90, dtype="float16"), make.normal(4, 90, dtype="float16")
    w, y = make.normal(90), make.output(4, 90)
    make.launch(add_rms_norm, 4, x, residual, w, y, 90, 1e-6, BLOCK=128)
    h = x.values.astype(np.float64) + residual.values
    make.expect(residual, h)
    make.expect(y, h / np.sqrt((h * h).mean(1, keepdims=True) + 1e-6) * w.values, "sum")


@triton.jit
def l2_normalise_tile(x_ptr, y_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)[:, None]
    c = tl.arange(0, C)[None, :]
    mask = (r < rows) & (c < cols)
    x = tl.load(x_ptr + r * cols + c, mask=mask, other=0.0)
    length = tl.sqrt(tl.sum(x * x, axis=1, keep_dims=True))
    tl.store(y_ptr + r * cols + c, x / tl.maximum(length, 1e-12), mask=mask)


@case("norms/l2_normalise_with_zero_row")
def l2_normalise_case(make):
    values = make.random.standard_normal((9, 40))
    values[3] = 0
    x, y = make.array(values, "float32"), make.output(9, 40)
    make.launch(l2_normalise_tile, 3, x, y, 9, 40, R=4, C=64)
    v = x.values.astype(np.float64)
    make.expect(y, v / np.maximum(np.sqrt((v * v).sum(1, keepdims=True)), 1e-12))


@triton.jit
def weight_norm(v_ptr, g_ptr, w_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    squares = tl.zeros((BLOCK,), tl.float32)
    c = tl.arange(0, BLOCK)
    while tl.max(c, 0) < cols + BLOCK - 1:
        v = tl.load(v_ptr + row * cols + c, mask=c < cols, other=0.0)
        squares += v * v
        c += BLOCK
    scale = tl.load(g_ptr + row) / tl.sqrt(tl.sum(squares))
    c = tl.arange(0, BLOCK)
    while tl.min(c, 0) < cols:
        v = tl.load(v_ptr + row * cols + c, mask=c < cols)
        tl.store(w_ptr + row * cols + c, v * scale, mask=c < cols)
        c += BLOCK


@case("norms/weight_norm_while_loops")
def weight_norm_case(make):
    v, g, w = make.normal(5, 100), make.normal(5), make.output(5, 100)
    make.launch(weight_norm, 5, v, g, w, 100, BLOCK=32)
    x = v.values.astype(np.float64)
    make.expect(w, x * (g.values / np.sqrt((x * x).sum(1)))[:, None], "sum")
