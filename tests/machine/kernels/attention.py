"""Attention, forward."""
import numpy as np
import triton
import triton.language as tl

from .case import case
from .softmax import softmax


def attention(q, k, v, scale, causal=False):
    s = np.einsum("...qd,...kd->...qk", q.astype(np.float64), k.astype(np.float64)) * scale
    if causal:
        s = np.where(np.arange(s.shape[-1]) <= np.arange(s.shape[-2])[:, None], s, -np.inf)
    return softmax(s) @ v.astype(np.float64)


@triton.jit
def flash_forward(q_ptr, k_ptr, v_ptr, o_ptr, lse_ptr, scale, heads, length, stride_b, stride_h, stride_l,
                  D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    start_m = tl.program_id(0)
    bh = tl.program_id(1)
    base = (bh // heads) * stride_b + (bh % heads) * stride_h
    rm = start_m * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    q = tl.load(q_ptr + base + rm[:, None] * stride_l + rd[None, :], mask=rm[:, None] < length, other=0.0)
    m_i = tl.full((BM,), -float("inf"), tl.float32)
    l_i = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    high = min((start_m + 1) * BM, length) if CAUSAL else length
    for n0 in range(0, high, BN):
        rn = n0 + tl.arange(0, BN)
        k = tl.load(k_ptr + base + rn[None, :] * stride_l + rd[:, None], mask=rn[None, :] < length, other=0.0)
        s = tl.dot(q, k, input_precision="ieee") * (scale * 1.4426950408889634)
        ok = rn[None, :] < length
        if CAUSAL:
            ok = ok & (rn[None, :] <= rm[:, None])
        s = tl.where(ok, s, -float("inf"))
        m_new = tl.maximum(m_i, tl.max(s, 1))
        p = tl.exp2(s - m_new[:, None])
        alpha = tl.exp2(m_i - m_new)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + base + rn[:, None] * stride_l + rd[None, :], mask=rn[:, None] < length, other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m_i = m_new
    acc = acc / l_i[:, None]
    tl.store(o_ptr + base + rm[:, None] * stride_l + rd[None, :], acc.to(o_ptr.dtype.element_ty), mask=rm[:, None] < length)
    tl.store(lse_ptr + bh * length + rm, m_i + tl.log2(l_i), mask=rm < length)


for _causal in (False, True):
    for _dtype in ("float32", "float16"):
        @case(f"attention/flash_{'causal_' if _causal else ''}{_dtype}")
        def flash_case(make, causal=_causal, dtype=_dtype):
            b, h, length, d = 2, 2, 45, 16
            q, k, v = (make.normal(b, h, length, d, dtype=dtype) for _ in range(3))
            o, lse = make.output(b, h, length, d, dtype=dtype), make.output(b, h, length)
            make.launch(flash_forward, (3, b * h), q, k, v, o, lse, 0.25, h, length, h * length * d, length * d, d,
                        D=d, BM=16, BN=16, CAUSAL=causal)
            make.expect(o, attention(q.values, k.values, v.values, 0.25, causal), "dot")
            s = np.einsum("...qd,...kd->...qk", q.values.astype(np.float64), k.values.astype(np.float64)) * 0.25
            if causal:
                s = np.where(np.arange(length) <= np.arange(length)[:, None], s, -np.inf)
            make.expect(lse, np.log2(np.exp(s).sum(-1)), "dot")


@triton.jit
def attention_unfused_scores(q_ptr, k_ptr, s_ptr, L, D: tl.constexpr, B: tl.constexpr, scale: tl.constexpr):
    batch = tl.program_id(2)
    ri = tl.program_id(0) * B + tl.arange(0, B)
    rj = tl.program_id(1) * B + tl.arange(0, B)
    rd = tl.arange(0, D)
    q = tl.load(q_ptr + (batch * L + ri[:, None]) * D + rd[None, :], mask=ri[:, None] < L, other=0.0)
    k = tl.load(k_ptr + (batch * L + rj[:, None]) * D + rd[None, :], mask=rj[:, None] < L, other=0.0)
    s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
    tl.store(s_ptr + (batch * L + ri[:, None]) * L + rj[None, :], s, mask=(ri[:, None] < L) & (rj[None, :] < L))


@triton.jit
def attention_unfused_output(s_ptr, v_ptr, o_ptr, L, D: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    batch = tl.program_id(1)
    j = tl.arange(0, BLOCK)
    d = tl.arange(0, D)
    s = tl.load(s_ptr + (batch * L + row) * L + j, mask=j < L, other=-float("inf"))
    p = tl.exp(s - tl.max(s, 0))
    p /= tl.sum(p, 0)
    v = tl.load(v_ptr + (batch * L + j[:, None]) * D + d[None, :], mask=j[:, None] < L, other=0.0)
    tl.store(o_ptr + (batch * L + row) * D + d, tl.sum(p[:, None] * v, 0))


@case("attention/unfused_two_kernels")
def unfused_case(make):
    b, length, d = 2, 27, 16
    q, k, v = (make.normal(b, length, d) for _ in range(3))
    s, o = make.output(b, length, length), make.output(b, length, d)
    make.launch(attention_unfused_scores, (2, 2, b), q, k, s, length, D=d, B=16, scale=0.25)
    make.launch(attention_unfused_output, (length, b), s, v, o, length, D=d, BLOCK=32)
    make.expect(o, attention(q.values, k.values, v.values, 0.25), "dot")


@triton.jit
def decode_attention(q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, max_length, heads, kv_heads, scale, D: tl.constexpr, BN: tl.constexpr):
    batch, head = tl.program_id(0), tl.program_id(1)
    kv_head = head // (heads // kv_heads)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + (batch * heads + head) * D + d)
    length = tl.load(lengths_ptr + batch)
    m = -float("inf")
    total = 0.0
    acc = tl.zeros((D,), tl.float32)
    for n0 in range(0, length, BN):
        n = n0 + tl.arange(0, BN)
        at = ((batch * max_length + n[:, None]) * kv_heads + kv_head) * D + d[None, :]
        k = tl.load(k_ptr + at, mask=n[:, None] < length, other=0.0)
        s = tl.where(n < length, tl.sum(k * q[None, :], 1) * scale, -float("inf"))
        m_new = tl.maximum(m, tl.max(s, 0))
        p = tl.exp(s - m_new)
        shrink = tl.exp(m - m_new)
        v = tl.load(v_ptr + at, mask=n[:, None] < length, other=0.0)
        acc = acc * shrink + tl.sum(p[:, None] * v, 0)
        total = total * shrink + tl.sum(p, 0)
        m = m_new
    tl.store(o_ptr + (batch * heads + head) * D + d, acc / total)


@case("attention/decode_grouped_heads_ragged_lengths")
def decode_case(make):
    b, heads, kv, longest, d = 3, 4, 2, 40, 16
    q, k, v = make.normal(b, heads, d), make.normal(b, longest, kv, d), make.normal(b, longest, kv, d)
    lengths, o = make.array(np.int32([1, 17, 40])), make.output(b, heads, d)
    make.launch(decode_attention, (b, heads), q, k, v, lengths, o, longest, heads, kv, 0.25, D=d, BN=16)
    expected = np.zeros((b, heads, d))
    for i, n in enumerate(lengths.values):
        for h in range(heads):
            expected[i, h] = attention(q.values[i, h:h + 1], k.values[i, :n, h // 2], v.values[i, :n, h // 2], 0.25)[0]
    make.expect(o, expected, "dot")


@triton.jit
def attention_with_bias_tile(q_ptr, k_ptr, v_ptr, slope_ptr, o_ptr, L, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
                             WINDOW: tl.constexpr):
    head = tl.program_id(1)
    slope = tl.load(slope_ptr + head)
    base = head * L * D
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    q = tl.load(q_ptr + base + rm[:, None] * D + rd[None, :], mask=rm[:, None] < L, other=0.0)
    m = tl.full([BM], value=-1e30, dtype=tl.float32)
    total = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, D], dtype=tl.float32)
    first = tl.maximum(tl.program_id(0) * BM - WINDOW, 0) // BN * BN
    for n0 in range(first, tl.minimum((tl.program_id(0) + 1) * BM, L), BN):
        rn = n0 + tl.arange(0, BN)
        distance = rm[:, None] - rn[None, :]
        k = tl.load(k_ptr + base + rn[:, None] * D + rd[None, :], mask=rn[:, None] < L, other=0.0)
        s = tl.dot(q, k.T, input_precision="ieee") * 0.25 - slope * distance.to(tl.float32)
        s = tl.where((distance >= 0) & (distance <= WINDOW), s, -1e30)
        m_new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.where((distance >= 0) & (distance <= WINDOW), tl.exp(s - m_new[:, None]), 0.0)
        shrink = tl.exp(m - m_new)
        total = total * shrink + tl.sum(p, axis=1)
        v = tl.load(v_ptr + base + rn[:, None] * D + rd[None, :], mask=rn[:, None] < L, other=0.0)
        acc = tl.dot(p, v, acc * shrink[:, None], input_precision="ieee")
        m = m_new
    tl.store(o_ptr + base + rm[:, None] * D + rd[None, :], acc / total[:, None], mask=rm[:, None] < L)


@case("attention/sliding_window_with_slopes")
def sliding_window_case(make):
    heads, length, d, window = 2, 50, 16, 12
    q, k, v = (make.normal(heads, length, d) for _ in range(3))
    slopes, o = make.array(np.float32([0.5, 0.125])), make.output(heads, length, d)
    make.launch(attention_with_bias_tile, (4, heads), q, k, v, slopes, o, length, D=d, BM=16, BN=16, WINDOW=window)
    far = np.arange(length)[:, None] - np.arange(length)
    s = np.einsum("hqd,hkd->hqk", q.values.astype(np.float64), k.values) * 0.25 - slopes.values[:, None, None] * far
    make.expect(o, softmax(np.where((far >= 0) & (far <= window), s, -np.inf)) @ v.values.astype(np.float64), "dot")


@triton.jit
def linear_attention(q_ptr, k_ptr, v_ptr, o_ptr, L, D: tl.constexpr, B: tl.constexpr):
    base = tl.program_id(0) * L * D
    t = tl.arange(0, B)
    d = tl.arange(0, D)
    state = tl.zeros((D, D), tl.float32)
    for start in range(0, L, B):
        at = base + (start + t)[:, None] * D + d[None, :]
        mask = (start + t)[:, None] < L
        q = tl.load(q_ptr + at, mask=mask, other=0.0)
        k = tl.load(k_ptr + at, mask=mask, other=0.0)
        v = tl.load(v_ptr + at, mask=mask, other=0.0)
        within = tl.where(t[:, None] >= t[None, :], tl.dot(q, tl.trans(k), input_precision="ieee"), 0.0)
        o = tl.dot(within, v, input_precision="ieee") + tl.dot(q, state, input_precision="ieee")
        state = tl.dot(tl.trans(k), v, state, input_precision="ieee")
        tl.store(o_ptr + at, o, mask=mask)


@case("attention/linear_attention_chunks")
def linear_attention_case(make):
    heads, length, d = 2, 40, 16
    q, k, v = (make.normal(heads, length, d, scale=0.3) for _ in range(3))
    o = make.output(heads, length, d)
    make.launch(linear_attention, heads, q, k, v, o, length, D=d, B=16)
    s = np.tril(np.einsum("hqd,hkd->hqk", q.values.astype(np.float64), k.values))
    make.expect(o, s @ v.values, "dot")
