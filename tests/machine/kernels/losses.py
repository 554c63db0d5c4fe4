"""Losses and other reductions of predictions."""
import numpy as np
import triton
import triton.language as tl

from .case import case
from .softmax import softmax


@triton.jit
def cross_entropy(logits_ptr, label_ptr, loss_ptr, cols, ignore, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(label_ptr + row)
    if label == ignore:
        tl.store(loss_ptr + row, 0.0)
        return
    c = tl.arange(0, BLOCK)
    x = tl.load(logits_ptr + row * cols + c, mask=c < cols, other=-float("inf"))
    m = tl.max(x, 0)
    lse = m + tl.log(tl.sum(tl.exp(x - m), 0))
    tl.store(loss_ptr + row, lse - tl.load(logits_ptr + row * cols + label))


@case("losses/cross_entropy_with_ignored_rows")
def cross_entropy_case(make):
    logits, label, loss = make.normal(12, 50, scale=3), make.integers(12, high=50, dtype="int64"), make.output(12)
    label.raw[[2, 7]] = -100
    make.launch(cross_entropy, 12, logits, label, loss, 50, -100, BLOCK=64)
    p = np.log(softmax(logits.values))[np.arange(12), np.maximum(label.values, 0)]
    make.expect(loss, np.where(label.values == -100, 0, -p))


@triton.jit
def cross_entropy_online(logits_ptr, label_ptr, loss_ptr, grad_ptr, cols, smoothing, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    logits_ptr += row * cols
    grad_ptr += row * cols
    label = tl.load(label_ptr + row)
    m = float("-inf")
    s = 0.0
    total = 0.0
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + c, mask=c < cols, other=float("-inf")).cast(tl.float32)
        new_m = tl.maximum(m, tl.max(x))
        s = s * tl.exp(m - new_m) + tl.sum(tl.exp(x - new_m))
        m = new_m
        total += tl.sum(tl.where(c < cols, x, 0.0))
    lse = m + tl.log(s)
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + c, mask=c < cols, other=float("-inf")).cast(tl.float32)
        target = tl.where(c == label, 1.0 - smoothing, 0.0) + smoothing / cols
        tl.store(grad_ptr + c, tl.exp(x - m) / s - target, mask=c < cols)
    chosen = tl.load(logits_ptr + label).cast(tl.float32)
    tl.store(loss_ptr + row, lse - (1.0 - smoothing) * chosen - smoothing * total / cols)


for _dtype in ("float32", "float16"):
    @case(f"losses/cross_entropy_online_smoothed_{_dtype}")
    def online_case(make, dtype=_dtype):
        rows, cols, eps = 6, 150, 0.1
        logits, label = make.normal(rows, cols, scale=2, dtype=dtype), make.integers(rows, high=cols, dtype="int64")
        loss, grad = make.output(rows), make.output(rows, cols)
        make.launch(cross_entropy_online, rows, logits, label, loss, grad, cols, eps, BLOCK=64)
        p = softmax(logits.values)
        target = np.eye(cols)[label.values] * (1 - eps) + eps / cols
        make.expect(loss, -(target * np.log(p)).sum(1), "sum")
        make.expect(grad, p - target)


@triton.jit
def mean_squared_error(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
    tl.atomic_add(out_ptr, tl.sum(d * d, 0) / n)


@case("losses/mean_squared_error")
def mse_case(make):
    x, y, out = make.normal(700), make.normal(700), make.zeros(1)
    make.launch(mean_squared_error, 6, x, y, out, 700, BLOCK=128)
    make.expect(out, ((x.values.astype(np.float64) - y.values) ** 2).mean(), "sum")


@triton.jit
def smooth_l1(x_ptr, y_ptr, out_ptr, n, beta, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.abs(tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0))
    tl.store(out_ptr + i, tl.where(d < beta, 0.5 * d * d / beta, d - 0.5 * beta), mask=i < n)


@case("losses/smooth_l1")
def smooth_l1_case(make):
    x, y, out = make.normal(200), make.normal(200), make.output(200)
    make.launch(smooth_l1, 2, x, y, out, 200, 0.7, BLOCK=128)
    d = np.abs(x.values.astype(np.float64) - y.values)
    make.expect(out, np.where(d < 0.7, 0.5 * d * d / 0.7, d - 0.35))


@triton.jit
def kl_divergence(log_p_ptr, q_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    log_p = tl.load(log_p_ptr + row * cols + c, mask=c < cols, other=0.0)
    q = tl.load(q_ptr + row * cols + c, mask=c < cols, other=0.0)
    term = tl.where(q > 0, q * (tl.log(tl.where(q > 0, q, 1.0)) - log_p), 0.0)
    tl.store(out_ptr + row, tl.sum(term, 0))


@case("losses/kl_divergence")
def kl_case(make):
    p, q = softmax(make.random.standard_normal((7, 40))), softmax(make.random.standard_normal((7, 40)))
    q[:, 5] = 0
    log_p, qs, out = make.array(np.log(p), "float32"), make.array(q, "float32"), make.output(7)
    make.launch(kl_divergence, 7, log_p, qs, out, 40, BLOCK=64)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = qs.values * (np.log(qs.values.astype(np.float64)) - log_p.values)
    make.expect(out, np.nansum(terms, 1))


@triton.jit
def hinge(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n, other=0.0)
        y = tl.load(y_ptr + i, mask=i < n, other=0).to(tl.float32)
        acc += tl.where(i < n, tl.maximum(1.0 - x * y, 0.0), 0.0)
    tl.store(out_ptr, tl.sum(acc) / n)


@case("losses/hinge")
def hinge_case(make):
    x, y, out = make.normal(300), make.array(make.random.choice([-1, 1], 300), "int8"), make.output(1)
    make.launch(hinge, 1, x, y, out, 300, BLOCK=128)
    make.expect(out, np.maximum(1 - x.values.astype(np.float64) * y.values, 0).mean(), "sum")


@triton.jit
def binary_cross_entropy_logits(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.load(y_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, tl.maximum(x, 0) - x * y + tl.log(1 + tl.exp(-tl.abs(x))), mask=i < n)


@case("losses/binary_cross_entropy_with_logits")
def bce_case(make):
    x, y, out = make.normal(250, scale=3), make.booleans(250), make.output(250)
    y = make.array(y.values, "float32")
    make.launch(binary_cross_entropy_logits, 2, x, y, out, 250, BLOCK=128)
    v = x.values.astype(np.float64)
    make.expect(out, np.logaddexp(0, v) - v * y.values)


@triton.jit
def cosine_similarity(a_ptr, b_ptr, out_ptr, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    dot = tl.zeros((BLOCK,), tl.float32)
    aa = tl.zeros((BLOCK,), tl.float32)
    bb = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + row * cols + c, mask=c < cols, other=0.0)
        b = tl.load(b_ptr + row * cols + c, mask=c < cols, other=0.0)
        dot += a * b
        aa += a * a
        bb += b * b
    norm = tl.sqrt(tl.sum(aa)) * tl.sqrt(tl.sum(bb))
    tl.store(out_ptr + row, tl.sum(dot) / tl.maximum(norm, eps))


@case("losses/cosine_similarity")
def cosine_case(make):
    a, b, out = make.normal(8, 100), make.normal(8, 100), make.output(8)
    make.launch(cosine_similarity, 8, a, b, out, 100, 1e-8, BLOCK=32)
    x, y = a.values.astype(np.float64), b.values.astype(np.float64)
    make.expect(out, (x * y).sum(1) / np.sqrt((x * x).sum(1) * (y * y).sum(1)), "sum")


@triton.jit
def triplet_margin(anchor_ptr, positive_ptr, negative_ptr, out_ptr, margin, D: tl.constexpr):
    row = tl.program_id(0)
    d = tl.arange(0, D)
    a = tl.load(anchor_ptr + row * D + d)
    near = a - tl.load(positive_ptr + row * D + d)
    far = a - tl.load(negative_ptr + row * D + d)
    loss = tl.sqrt(tl.sum(near * near)) - tl.sqrt(tl.sum(far * far)) + margin
    tl.store(out_ptr + row, tl.maximum(loss, 0.0))


@case("losses/triplet_margin")
def triplet_case(make):
    a, p, n, out = make.normal(9, 32), make.normal(9, 32), make.normal(9, 32), make.output(9)
    make.launch(triplet_margin, 9, a, p, n, out, 1.0, D=32)
    x = a.values.astype(np.float64)
    make.expect(out, np.maximum(np.linalg.norm(x - p.values, axis=1) - np.linalg.norm(x - n.values, axis=1) + 1, 0), "sum")


@triton.jit
def segment_sums(x_ptr, start_ptr, out_ptr, BLOCK: tl.constexpr):
    segment = tl.program_id(0)
    begin = tl.load(start_ptr + segment)
    end = tl.load(start_ptr + segment + 1)
    total = 0.0
    for at in range(begin, end, BLOCK):
        i = at + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x_ptr + i, mask=i < end, other=0.0), 0)
    tl.store(out_ptr + segment, total)


@case("losses/segment_sums_ragged")
def segment_case(make):
    starts = np.int32([0, 5, 5, 40, 41, 100])
    x, start, out = make.normal(100), make.array(starts), make.output(5)
    make.launch(segment_sums, 5, x, start, out, BLOCK=16)
    make.expect(out, [x.values[a:b].astype(np.float64).sum() for a, b in zip(starts, starts[1:])], "sum")
