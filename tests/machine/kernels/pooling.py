"""Pooling and windows over images."""
import numpy as np
import triton
import triton.language as tl

from .case import case


def windows(x, k, stride, padding, fill):
    """[..., OH, OW, k*k]"""
    x = np.pad(x, [(0, 0)] * (x.ndim - 2) + [(padding, padding)] * 2, constant_values=fill)
    h, w = (x.shape[-2] - k) // stride + 1, (x.shape[-1] - k) // stride + 1
    return np.stack([x[..., a:a + (h - 1) * stride + 1:stride, b:b + (w - 1) * stride + 1:stride] for a in range(k) for b in range(k)], -1)


@triton.jit
def max_pool2d(x_ptr, out_ptr, place_ptr, height, width, out_height, out_width, K: tl.constexpr, STRIDE: tl.constexpr,
               PADDING: tl.constexpr, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    p = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    oy, ox = p // out_width, p % out_width
    best = tl.full((BLOCK,), -float("inf"), tl.float32)
    place = tl.zeros((BLOCK,), tl.int32)
    for ky in tl.static_range(K):
        for kx in tl.static_range(K):
            y = oy * STRIDE + ky - PADDING
            x = ox * STRIDE + kx - PADDING
            ok = (y >= 0) & (y < height) & (x >= 0) & (x < width) & (p < out_height * out_width)
            v = tl.load(x_ptr + (plane * height + y) * width + x, mask=ok, other=-float("inf"))
            place = tl.where(v > best, y * width + x, place)
            best = tl.maximum(best, v)
    mask = p < out_height * out_width
    tl.store(out_ptr + plane * out_height * out_width + p, best, mask=mask)
    tl.store(place_ptr + plane * out_height * out_width + p, place, mask=mask)


@case("pooling/max_pool2d_with_indices")
def max_pool_case(make):
    x, out, place = make.normal(3, 11, 13), make.output(3, 6, 7), make.output(3, 6, 7, dtype="int32")
    make.launch(max_pool2d, (3, 2), x, out, place, 11, 13, 6, 7, K=3, STRIDE=2, PADDING=1, BLOCK=32)
    view = windows(x.values, 3, 2, 1, -np.inf)
    make.expect(out, view.max(-1), "exact")
    number = np.broadcast_to(np.arange(143).reshape(11, 13), (3, 11, 13))
    make.expect(place, np.take_along_axis(windows(number, 3, 2, 1, -1), view.argmax(-1)[..., None], -1)[..., 0])


@triton.jit
def average_pool2d(x_ptr, out_ptr, height, width, out_height, out_width, K: tl.constexpr, STRIDE: tl.constexpr, BH: tl.constexpr,
                   BW: tl.constexpr):
    plane = tl.program_id(0)
    oy = tl.program_id(1) * BH + tl.arange(0, BH)[:, None]
    ox = tl.program_id(2) * BW + tl.arange(0, BW)[None, :]
    mask = (oy < out_height) & (ox < out_width)
    acc = tl.zeros((BH, BW), tl.float32)
    for k in range(K * K):
        y = oy * STRIDE + k // K
        x = ox * STRIDE + k % K
        acc += tl.load(x_ptr + (plane * height + y) * width + x, mask=mask, other=0.0).to(tl.float32)
    tl.store(out_ptr + (plane * out_height + oy) * out_width + ox, (acc / (K * K)).to(out_ptr.dtype.element_ty), mask=mask)


for _dtype in ("float32", "float16"):
    @case(f"pooling/average_pool2d_{_dtype}")
    def average_pool_case(make, dtype=_dtype):
        x, out = make.normal(2, 12, 14, dtype=dtype), make.output(2, 5, 6, dtype=dtype)
        make.launch(average_pool2d, (2, 2, 2), x, out, 12, 14, 5, 6, K=3, STRIDE=2, BH=4, BW=4)
        make.expect(out, windows(x.values.astype(np.float64), 3, 2, 0, 0).mean(-1)[..., :5, :6])


@triton.jit
def global_average_pool(x_ptr, out_ptr, spatial, planes, P: tl.constexpr, BLOCK: tl.constexpr):
    p = tl.program_id(0) * P + tl.arange(0, P)
    acc = tl.zeros((P, BLOCK), tl.float32)
    for start in range(0, spatial, BLOCK):
        s = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + p[:, None] * spatial + s[None, :], mask=(p[:, None] < planes) & (s[None, :] < spatial), other=0.0)
    tl.store(out_ptr + p, tl.sum(acc, 1) / spatial, mask=p < planes)


@case("pooling/global_average")
def global_pool_case(make):
    x, out = make.normal(10, 49), make.output(10)
    make.launch(global_average_pool, 3, x, out, 49, 10, P=4, BLOCK=32)
    make.expect(out, x.values.astype(np.float64).mean(1), "sum")


@triton.jit
def adaptive_average_pool1d(x_ptr, out_ptr, length, out_length, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    o = tl.program_id(1)
    begin = o * length // out_length
    end = ((o + 1) * length + out_length - 1) // out_length
    i = begin + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + plane * length + i, mask=i < end, other=0.0)
    tl.store(out_ptr + plane * out_length + o, tl.sum(x, 0) / (end - begin))


@case("pooling/adaptive_average1d")
def adaptive_case(make):
    x, out = make.normal(4, 23), make.output(4, 7)
    make.launch(adaptive_average_pool1d, (4, 7), x, out, 23, 7, BLOCK=8)
    edges = [(o * 23 // 7, -(-(o + 1) * 23 // 7)) for o in range(7)]
    make.expect(out, np.stack([x.values[:, a:b].astype(np.float64).mean(1) for a, b in edges], 1))


@triton.jit
def max_pool3d(x_ptr, out_ptr, D, H, W, OD, OH, OW, K: tl.constexpr, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    p = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    count = OD * OH * OW
    z, y, x = p // (OH * OW), (p // OW) % OH, p % OW
    best = tl.full([BLOCK], float("-inf"), tl.float32)
    for kz in range(K):
        for ky in range(K):
            for kx in range(K):
                at = ((plane * D + z * K + kz) * H + y * K + ky) * W + x * K + kx
                best = tl.maximum(best, tl.load(x_ptr + at, mask=p < count, other=float("-inf")))
    tl.store(out_ptr + plane * count + p, best, mask=p < count)


@case("pooling/max_pool3d")
def max_pool3d_case(make):
    x, out = make.normal(2, 4, 6, 8), make.output(2, 2, 3, 4)
    make.launch(max_pool3d, (2, 2), x, out, 4, 6, 8, 2, 3, 4, K=2, BLOCK=16)
    make.expect(out, x.values.reshape(2, 2, 2, 3, 2, 4, 2).max((2, 4, 6)), "exact")


@triton.jit
def gaussian_blur_rows(x_ptr, out_ptr, width, sigma, RADIUS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    weights = 0.0
    for k in range(-RADIUS, RADIUS + 1):
        w = tl.exp(-(k * k) / (2.0 * sigma * sigma))
        at = tl.minimum(tl.maximum(c + k, 0), width - 1)
        acc += w * tl.load(x_ptr + row * width + at, mask=c < width, other=0.0)
        weights += w
    tl.store(out_ptr + row * width + c, acc / weights, mask=c < width)


@case("pooling/gaussian_blur_clamped_edges")
def blur_case(make):
    x, out = make.normal(5, 40), make.output(5, 40)
    make.launch(gaussian_blur_rows, (5, 2), x, out, 40, 1.5, RADIUS=3, BLOCK=32)
    w = np.exp(-np.arange(-3, 4) ** 2 / 4.5)
    padded = np.pad(x.values.astype(np.float64), ((0, 0), (3, 3)), mode="edge")
    make.expect(out, sum(w[k] * padded[:, k:k + 40] for k in range(7)) / w.sum())


@triton.jit
def summed_area(x_ptr, out_ptr, H: tl.constexpr, W: tl.constexpr):
    at = tl.arange(0, H)[:, None] * W + tl.arange(0, W)[None, :]
    x = tl.load(x_ptr + at)
    tl.store(out_ptr + at, tl.cumsum(tl.cumsum(x, 0), 1))


@case("pooling/summed_area_table")
def summed_area_case(make):
    x, out = make.integers(16, 32, low=-9, high=9), make.output(16, 32, dtype="int32")
    make.launch(summed_area, 1, x, out, H=16, W=32)
    make.expect(out, x.values.cumsum(0).cumsum(1))
