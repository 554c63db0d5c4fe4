"""Softmax of every sort."""
import numpy as np
import triton
import triton.language as tl

from .case import case


def softmax(x, axis=-1):
    x = x.astype(np.float64)
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


@triton.jit
def softmax_row(out_ptr, in_ptr, in_stride, out_stride, n_rows, n_cols, BLOCK: tl.constexpr):
    first = tl.program_id(0)
    step = tl.num_programs(0)
    for row in tl.range(first, n_rows, step):
        cols = tl.arange(0, BLOCK)
        mask = cols < n_cols
        x = tl.load(in_ptr + row * in_stride + cols, mask=mask, other=-float("inf"))
        x = x - tl.max(x, axis=0)
        e = tl.exp(x)
        tl.store(out_ptr + row * out_stride + cols, e / tl.sum(e, axis=0), mask=mask)


@case("softmax/persistent_rows")
def softmax_row_case(make):
    x, out = make.normal(13, 77, scale=3), make.zeros(13, 80)
    make.launch(softmax_row, 4, out, x, 77, 80, 13, 77, BLOCK=128)
    expected = np.zeros((13, 80))
    expected[:, :77] = softmax(x.values)
    make.expect(out, expected)


@triton.jit
def softmax_online(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * cols
    out_ptr += row * cols
    m = -float("inf")
    total = 0.0
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + c, mask=c < cols, other=-float("inf"))
        new_m = tl.maximum(m, tl.max(x, 0))
        total = total * tl.exp(m - new_m) + tl.sum(tl.exp(x - new_m), 0)
        m = new_m
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + c, mask=c < cols, other=0.0)
        tl.store(out_ptr + c, tl.exp(x - m) / total, mask=c < cols)


@case("softmax/online")
def softmax_online_case(make):
    x, out = make.normal(7, 300, scale=4), make.output(7, 300)
    make.launch(softmax_online, 7, x, out, 300, BLOCK=64)
    make.expect(out, softmax(x.values))


@triton.jit
def log_softmax_tile(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.arange(0, C)
    mask = (r < rows)[:, None] & (c < cols)[None, :]
    x = tl.load(x_ptr + r[:, None] * cols + c, mask=mask, other=-float("inf")).to(tl.float32)
    m = tl.max(x, axis=1, keep_dims=True)
    m = tl.where(r[:, None] < rows, m, 0.0)
    lse = m + tl.log(tl.sum(tl.exp(x - m), axis=1, keep_dims=True))
    tl.store(out_ptr + r[:, None] * cols + c, (x - lse).to(out_ptr.dtype.element_ty), mask=mask)


for _dtype in ("float32", "float16"):
    @case(f"softmax/log_softmax_tile_{_dtype}")
    def log_softmax_case(make, dtype=_dtype):
        x, out = make.normal(10, 60, dtype=dtype), make.output(10, 60, dtype=dtype)
        make.launch(log_softmax_tile, 3, x, out, 10, 60, R=4, C=64)
        make.expect(out, np.log(softmax(x.values)))


@triton.jit
def softmax_builtin(x_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    x = tl.load(x_ptr + at)
    tl.store(out_ptr + at, tl.softmax(x, dim=1, keep_dims=True))


@case("softmax/builtin")
def softmax_builtin_case(make):
    x, out = make.normal(8, 32), make.output(8, 32)
    make.launch(softmax_builtin, 1, x, out, R=8, C=32)
    make.expect(out, softmax(x.values))


@triton.jit
def masked_softmax(x_ptr, mask_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    keep = tl.load(mask_ptr + row * cols + c, mask=c < cols, other=0).to(tl.int1)
    x = tl.load(x_ptr + row * cols + c, mask=keep, other=float("-inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + row * cols + c, tl.fdiv(e, tl.sum(e, 0)), mask=c < cols)


@case("softmax/masked")
def masked_softmax_case(make):
    keep = make.booleans(6, 70, share=0.7)
    x, out = make.normal(6, 70), make.output(6, 70)
    make.launch(masked_softmax, 6, x, keep, out, 70, BLOCK=128)
    make.expect(out, softmax(np.where(keep.values, x.values, -np.inf)))


@triton.jit
def softmax_columns(x_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    c = tl.program_id(0) * C + tl.arange(0, C)
    r = tl.arange(0, R)
    mask = (r[:, None] < rows) & (c[None, :] < cols)
    x = tl.load(x_ptr + r[:, None] * cols + c[None, :], mask=mask, other=-1e30)
    e = tl.exp(x - tl.max(x, 0)[None, :])
    tl.store(out_ptr + r[:, None] * cols + c[None, :], e / tl.sum(e, 0)[None, :], mask=mask)


@case("softmax/along_columns")
def softmax_columns_case(make):
    x, out = make.normal(30, 50), make.output(30, 50)
    make.launch(softmax_columns, 4, x, out, 30, 50, R=32, C=16)
    make.expect(out, softmax(x.values, 0))


@triton.jit
def online_combine(m1, s1, m2, s2):
    m = tl.maximum(m1, m2)
    return m, s1 * tl.exp(m1 - m) + s2 * tl.exp(m2 - m)


@triton.jit
def log_sum_exp_reduced(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=-1e30)
    m, s = tl.reduce((x, tl.full((BLOCK,), 1.0, tl.float32)), 0, online_combine)
    tl.store(out_ptr + row, m + tl.log(s))


@case("softmax/log_sum_exp_by_online_reduce")
def log_sum_exp_case(make):
    x, out = make.normal(5, 100, scale=5), make.output(5)
    make.launch(log_sum_exp_reduced, 5, x, out, 100, BLOCK=128)
    make.expect(out, np.log(np.exp(x.values.astype(np.float64)).sum(1)))


@triton.jit
def gumbel_argmax_with_temperature(x_ptr, out_ptr, cols, temperature, seed, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=-float("inf"))
    u = tl.rand(seed, row * cols + c)
    noise = -tl.log(-tl.log(u + 1e-9) + 1e-9)
    tl.store(out_ptr + row, tl.argmax(x / temperature + noise, 0))


@case("softmax/gumbel_argmax")
def gumbel_case(make):
    from .randoms import philox, uniform
    x, out = make.normal(8, 50), make.output(8, dtype="int32")
    make.launch(gumbel_argmax_with_temperature, 8, x, out, 50, 0.7, 7, BLOCK=64)
    u = uniform(philox(7, np.arange(400))[0]).reshape(8, 50).astype(np.float64)
    make.expect(out, (x.values / 0.7 - np.log(-np.log(u + 1e-9) + 1e-9)).argmax(1))


@triton.jit
def softmax_backward(dy_ptr, y_ptr, dx_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    y = tl.load(y_ptr + row * cols + c, mask=c < cols, other=0.0)
    dy = tl.load(dy_ptr + row * cols + c, mask=c < cols, other=0.0)
    tl.store(dx_ptr + row * cols + c, y * (dy - tl.sum(y * dy, 0)), mask=c < cols)


@case("softmax/backward")
def softmax_backward_case(make):
    y, dy, dx = make.array(softmax(make.random.standard_normal((5, 60))), "float32"), make.normal(5, 60), make.output(5, 60)
    make.launch(softmax_backward, 5, dy, y, dx, 60, BLOCK=64)
    a, b = y.values.astype(np.float64), dy.values.astype(np.float64)
    make.expect(dx, a * (b - (a * b).sum(1, keepdims=True)))
