#pragma once

// The loops of cpu_attention.h, compiled once for each instruction set by the files that include this one. Nothing of
// the standard library here: an inline function of it, compiled for wide vectors, might be the one that the linker
// keeps for the whole program.
#include <cstdint>

#include "model/cpu_attention.h"

#define TRITONRL_INLINE inline __attribute__((always_inline))

namespace tritonrl::model {
namespace {

using Floats = float __attribute__((vector_size(64), aligned(4), may_alias));
using Words = std::uint32_t __attribute__((vector_size(64), aligned(4), may_alias));
using Integers = std::int32_t __attribute__((vector_size(64), aligned(4), may_alias));
using Halves = std::uint16_t __attribute__((vector_size(32), aligned(2), may_alias));

constexpr std::int64_t kWidth = 16;
static_assert(kWidth == kKeyBlock);
constexpr std::int64_t kTile = 64;  // keys between two looks at the largest score
constexpr std::int64_t kRows = 4;   // queries that share a loaded vector

TRITONRL_INLINE Floats load(const float* from) {
  return *reinterpret_cast<const Floats*>(from);
}

TRITONRL_INLINE Floats load(const BFloat16Bits* from) {
  const Halves halves = *reinterpret_cast<const Halves*>(from);
  const Words words = __builtin_convertvector(halves, Words) << 16;
  return reinterpret_cast<const Floats&>(words);
}

// The cache is read once a step and lies far away: the next tile is asked for while this one is read. Beyond the end of
// the memory this does nothing.
TRITONRL_INLINE void fetch_ahead(const void* place) {
  __builtin_prefetch(place, /*rw=*/0, /*locality=*/2);
}

// Spelt out: compilers know this form as a broadcast, and not `value + Floats{}`, which is not one for -0.
TRITONRL_INLINE Floats splat(float v) {
  return Floats{v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v};
}

// exp(x) for x <= 0, relative error below 2e-7; 0 below -87.
TRITONRL_INLINE Floats exponential(Floats x) {
  const Integers small = x < splat(-87.0F);
  x = x < splat(-87.0F) ? splat(-87.0F) : x;
  const Floats magic = splat(12582912.0F);  // 1.5 * 2^23: adding it rounds to an integer
  const Floats shifted = x * splat(1.44269504F) + magic;
  const Floats n = shifted - magic;
  const Floats r = x - n * splat(0.693359375F) - n * splat(-2.12194440e-4F);
  Floats p = splat(1.9875691500e-4F);
  p = p * r + splat(1.3981999507e-3F);
  p = p * r + splat(8.3334519073e-3F);
  p = p * r + splat(4.1665795894e-2F);
  p = p * r + splat(1.6666665459e-1F);
  p = p * r + splat(5.0000001201e-1F);
  p = p * r * r + r + splat(1.0F);
  const Integers exponent = (__builtin_convertvector(n, Integers) + 127) << 23;
  const Floats result = p * reinterpret_cast<const Floats&>(exponent);
  return small ? splat(0.0F) : result;
}

float larger(float a, float b) {
  return a < b ? b : a;
}
std::int64_t smaller(std::int64_t a, std::int64_t b) {
  return a < b ? a : b;
}

TRITONRL_INLINE float largest_of(Floats x) {
  float result = x[0];
  for (int i = 1; i < kWidth; ++i) result = larger(result, x[i]);
  return result;
}

TRITONRL_INLINE float total_of(Floats x) {
  float result = 0;
  for (int i = 0; i < kWidth; ++i) result += x[i];
  return result;
}

// Sums that grow at the same time: enough to hide the time that an addition takes, few enough for the registers.
constexpr int kSums = 4;

// scores[row][key] of `Blocks` neighbouring blocks of keys for `Count` queries.
template <int Count, int Blocks, class Element>
TRITONRL_INLINE void score_blocks(const float* queries, std::int64_t head_dim, const Element* keys, float* scores) {
  Floats sums[Count][Blocks] = {};
  for (std::int64_t d = 0; d < head_dim; ++d) {
    Floats query[Count];
    for (int row = 0; row < Count; ++row) query[row] = splat(queries[row * head_dim + d]);
    for (int block = 0; block < Blocks; ++block) {
      const Element* from = keys + (block * head_dim + d) * kWidth;
      fetch_ahead(from + kTile * head_dim);
      const Floats key = load(from);
      for (int row = 0; row < Count; ++row) sums[row][block] += query[row] * key;
    }
  }
  for (int row = 0; row < Count; ++row) {
    for (int block = 0; block < Blocks; ++block) {
      *reinterpret_cast<Floats*>(scores + row * kTile + block * kWidth) = sums[row][block];
    }
  }
}

template <int Count, class Element>
TRITONRL_INLINE void score_tile(const float* queries, std::int64_t head_dim, const Element* keys, std::int64_t blocks,
                                float* scores) {
  constexpr int kStride = kSums / Count;
  std::int64_t block = 0;
  for (; block + kStride <= blocks; block += kStride) {
    score_blocks<Count, kStride>(queries, head_dim, keys + block * head_dim * kWidth, scores + block * kWidth);
  }
  for (; block < blocks; ++block) {
    score_blocks<Count, 1>(queries, head_dim, keys + block * head_dim * kWidth, scores + block * kWidth);
  }
}

// sums[row][d] += weight[row][key] * value[key][d] over `keys` keys, for `Count` queries and `Chunks` vectors of d.
template <int Count, int Chunks, class Element>
TRITONRL_INLINE void add_chunks(const float* scores, std::int64_t keys, const Element* values, std::int64_t head_dim,
                                float* sums) {
  Floats parts[Count][Chunks];
  for (int row = 0; row < Count; ++row) {
    for (int chunk = 0; chunk < Chunks; ++chunk) parts[row][chunk] = load(sums + row * head_dim + chunk * kWidth);
  }
  for (std::int64_t key = 0; key < keys; ++key) {
    Floats weight[Count];
    for (int row = 0; row < Count; ++row) weight[row] = splat(scores[row * kTile + key]);
    for (int chunk = 0; chunk < Chunks; ++chunk) {
      const Element* from = values + key * head_dim + chunk * kWidth;
      fetch_ahead(from + kTile * head_dim);
      const Floats value = load(from);
      for (int row = 0; row < Count; ++row) parts[row][chunk] += weight[row] * value;
    }
  }
  for (int row = 0; row < Count; ++row) {
    for (int chunk = 0; chunk < Chunks; ++chunk) {
      *reinterpret_cast<Floats*>(sums + row * head_dim + chunk * kWidth) = parts[row][chunk];
    }
  }
}

template <int Count, class Element>
TRITONRL_INLINE void add_values(const float* scores, std::int64_t keys, const Element* values, std::int64_t head_dim,
                                float* sums) {
  constexpr int kStride = kSums / Count;
  std::int64_t d = 0;
  for (; d + kStride * kWidth <= head_dim; d += kStride * kWidth) {
    add_chunks<Count, kStride>(scores, keys, values + d, head_dim, sums + d);
  }
  for (; d < head_dim; d += kWidth) add_chunks<Count, 1>(scores, keys, values + d, head_dim, sums + d);
}

// One tile of at most kTile keys for `Count` queries from `row` on.
template <int Count, class Element>
TRITONRL_INLINE void attend_tile(const QueryRows& rows, std::int64_t row, const CachedStretch<Element>& stretch,
                                 std::int64_t begin, std::int64_t end) {
  alignas(64) float scores[Count * kTile] = {};
  const std::int64_t head_dim = rows.head_dim;
  const std::int64_t first_block = begin / kWidth;
  const std::int64_t tile_begin = first_block * kWidth;
  const std::int64_t blocks = (end + kWidth - 1) / kWidth - first_block;
  score_tile<Count>(rows.queries + row * head_dim, head_dim, stretch.keys + tile_begin * head_dim, blocks, scores);
  for (int i = 0; i < Count; ++i) {
    float* own = scores + i * kTile;
    for (std::int64_t key = tile_begin; key < begin; ++key) own[key - tile_begin] = -__builtin_inff();
    for (std::int64_t key = end; key < tile_begin + blocks * kWidth; ++key) {
      own[key - tile_begin] = -__builtin_inff();
    }
    Floats high = load(own);
    for (std::int64_t block = 1; block < blocks; ++block) {
      const Floats next = load(own + block * kWidth);
      high = high > next ? high : next;
    }
    const float before = rows.largest[row + i];
    const float largest = larger(before, largest_of(high));
    Floats total = {};
    for (std::int64_t block = 0; block < blocks; ++block) {
      const Floats weight = exponential(load(own + block * kWidth) - splat(largest));
      *reinterpret_cast<Floats*>(own + block * kWidth) = weight;
      total += weight;
    }
    if (before != largest) {
      const float shrink = exponential(splat(before - largest))[0];
      rows.total[row + i] *= shrink;
      float* sums = rows.sums + (row + i) * head_dim;
      for (std::int64_t d = 0; d < head_dim; d += kWidth)
        *reinterpret_cast<Floats*>(sums + d) = load(sums + d) * shrink;
    }
    rows.total[row + i] += total_of(total);
    rows.largest[row + i] = largest;
  }
  add_values<Count>(scores + (begin - tile_begin), end - begin, stretch.values + begin * head_dim, head_dim,
                    rows.sums + row * head_dim);
}

template <class Element>
void attend(const QueryRows& rows, const CachedStretch<Element>& stretch) {
  for (std::int64_t begin = stretch.begin; begin < stretch.end;) {
    const std::int64_t end = smaller(stretch.end, begin / kTile * kTile + kTile);
    std::int64_t row = 0;
    for (; row + kRows <= rows.count; row += kRows) attend_tile<kRows>(rows, row, stretch, begin, end);
    for (; row + 2 <= rows.count; row += 2) attend_tile<2>(rows, row, stretch, begin, end);
    for (; row < rows.count; ++row) attend_tile<1>(rows, row, stretch, begin, end);
    begin = end;
  }
}

}  // namespace
}  // namespace tritonrl::model
