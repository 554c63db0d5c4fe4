"""Philox random numbers and dropout."""
import numpy as np
import triton
import triton.language as tl

from .case import case


def philox(seed, offset, rounds=10):
    """Four uint32 a counter, by the algorithm's definition."""
    c = [np.asarray(offset, np.uint64) & 0xFFFFFFFF] + [np.zeros_like(np.asarray(offset, np.uint64))] * 3
    k0, k1 = seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF
    for _ in range(rounds):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k0, b & 0xFFFFFFFF, (a >> 32) ^ c[3] ^ k1, a & 0xFFFFFFFF]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return [x.astype(np.uint32) for x in c]


def uniform(bits):
    """As Triton: |x| of the signed number, scaled to just below one."""
    x = bits.view(np.int32)
    x = np.where(x < 0, -x - 1, x)
    return (x * np.float32(4.6566127342e-10)).astype(np.float32)


@triton.jit
def dropout_seeded(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    keep = tl.rand(seed, i) > p
    tl.store(out_ptr + i, tl.where(keep, x / (1 - p), 0.0), mask=i < n)


@case("randoms/dropout")
def dropout_case(make):
    x, out = make.normal(500), make.output(500)
    make.launch(dropout_seeded, 4, x, out, 500, 0.3, 1234, BLOCK=128)
    keep = uniform(philox(1234, np.arange(500))[0]) > 0.3
    make.expect(out, np.where(keep, x.values / 0.7, 0))


@triton.jit
def random_integers(out_ptr, seed, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.randint(seed, i), mask=i < n)


@case("randoms/randint")
def random_integers_case(make):
    out = make.output(300, dtype="uint32")
    make.launch(random_integers, 3, out, 99, 300, BLOCK=128)
    make.expect(out, philox(99, np.arange(300))[0])


def normal_pair(u1, u2):
    radius = np.sqrt(-2.0 * np.log(np.maximum(1.0e-7, u1).astype(np.float64)))
    return radius * np.cos(2 * np.pi * u2), radius * np.sin(2 * np.pi * u2)


@triton.jit
def random_uniform(out_ptr, seed, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.rand(seed, i), mask=i < n)


for _seed in (0, 42, 2 ** 40 + 17):
    @case(f"randoms/rand_seed_{_seed}")
    def random_uniform_case(make, seed=_seed):
        out = make.output(200)
        make.launch(random_uniform, 2, out, seed, 200, BLOCK=128)
        make.expect(out, uniform(philox(seed, np.arange(200))[0]), rtol=0, atol=1e-7)


@triton.jit
def random_normal(out_ptr, seed, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.randn(seed, i), mask=i < n)


@case("randoms/randn")
def random_normal_case(make):
    out = make.output(300)
    make.launch(random_normal, 3, out, 5, 300, BLOCK=128)
    bits = philox(5, np.arange(300))
    make.expect(out, normal_pair(uniform(bits[0]), uniform(bits[1]))[0], atol=2e-5)


@triton.jit
def four_at_once(out_ptr, seed, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a, b, c, d = tl.randint4x(seed, i)
    tl.store(out_ptr + i, a)
    tl.store(out_ptr + BLOCK + i, b)
    tl.store(out_ptr + 2 * BLOCK + i, c)
    tl.store(out_ptr + 3 * BLOCK + i, d)


@case("randoms/randint4x")
def four_case(make):
    out = make.output(4, 64, dtype="uint32")
    make.launch(four_at_once, 1, out, 11, BLOCK=64)
    make.expect(out, np.stack(philox(11, np.arange(64))))


@triton.jit
def four_uniform_tiles(out_ptr, seed, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    a, b, c, d = tl.rand4x(seed, at)
    tl.store(out_ptr + at, (a + b) - (c + d))


@case("randoms/rand4x_of_tile")
def four_uniform_case(make):
    out = make.output(8, 16)
    make.launch(four_uniform_tiles, 1, out, 3, R=8, C=16)
    a, b, c, d = (uniform(x) for x in philox(3, np.arange(128).reshape(8, 16)))
    make.expect(out, (a + b) - (c + d))


@triton.jit
def philox_rounds(out_ptr, seed, ROUNDS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.rand(seed, i, n_rounds=ROUNDS))


@case("randoms/rand_of_six_rounds")
def rounds_case(make):
    out = make.output(128)
    make.launch(philox_rounds, 1, out, 77, ROUNDS=6, BLOCK=128)
    make.expect(out, uniform(philox(77, np.arange(128), rounds=6)[0]), rtol=0, atol=1e-7)


@triton.jit
def dropout_rows_with_scale(x_ptr, out_ptr, keep_ptr, cols, p: tl.constexpr, seed, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    mask = c < cols
    at = row * cols + c
    keep = tl.rand(seed + row, c) >= p
    x = tl.load(x_ptr + at, mask=mask, other=0.0)
    tl.store(out_ptr + at, x * keep.to(tl.float32) * (1.0 / (1.0 - p)), mask=mask)
    tl.store(keep_ptr + at, keep, mask=mask)


@case("randoms/dropout_rows_with_mask_kept")
def dropout_rows_case(make):
    x, out, keep = make.normal(5, 70), make.output(5, 70), make.output(5, 70, dtype="bool")
    make.launch(dropout_rows_with_scale, 5, x, out, keep, 70, 0.5, 123, BLOCK=128)
    kept = np.stack([uniform(philox(123 + r, np.arange(70))[0]) >= 0.5 for r in range(5)])
    make.expect(out, x.values * kept * 2)
    make.expect(keep, kept)


@triton.jit
def stochastic_rounding(x_ptr, out_ptr, n, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    noise = tl.randint(seed, i).to(tl.int32, bitcast=True) & 0xFFFF
    bits = (x.to(tl.int32, bitcast=True) + noise) & -65536
    tl.store(out_ptr + i, bits.to(tl.float32, bitcast=True), mask=i < n)


@case("randoms/stochastic_rounding_to_bfloat16_grid")
def stochastic_case(make):
    x, out = make.normal(200), make.output(200)
    make.launch(stochastic_rounding, 2, x, out, 200, 9, BLOCK=128)
    noise = philox(9, np.arange(200))[0].view(np.int32) & 0xFFFF
    make.expect(out, ((x.values.view(np.int32) + noise) & -65536).view(np.float32), "exact")


@triton.jit
def monte_carlo_pi(hits_ptr, seed, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    x, y, _, _ = tl.rand4x(seed, i)
    tl.atomic_add(hits_ptr, tl.sum((x * x + y * y < 1.0).to(tl.int32), 0))


@case("randoms/monte_carlo_quarter_circle")
def pi_case(make):
    hits = make.zeros(1, dtype="int32")
    make.launch(monte_carlo_pi, 4, hits, 2024, BLOCK=256)
    x, y, _, _ = (uniform(b) for b in philox(2024, np.arange(1024)))
    make.expect(hits, [(x * x + y * y < 1).sum()])


@triton.jit
def hash_mix(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    h = tl.load(x_ptr + i, mask=i < n, other=0).to(tl.uint32)
    h ^= h >> 16
    h *= 0x85EBCA6B
    h ^= h >> 13
    h *= 0xC2B2AE35
    h ^= h >> 16
    tl.store(out_ptr + i, h, mask=i < n)


@case("randoms/hash_of_uint32")
def hash_case(make):
    x, out = make.bits(150, dtype="uint32"), make.output(150, dtype="uint32")
    make.launch(hash_mix, 2, x, out, 150, BLOCK=128)
    h = x.values.copy()
    h ^= h >> 16
    h *= np.uint32(0x85EBCA6B)
    h ^= h >> 13
    h *= np.uint32(0xC2B2AE35)
    h ^= h >> 16
    make.expect(out, h)
