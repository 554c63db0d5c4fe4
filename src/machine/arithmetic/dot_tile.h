#pragma once

#include <cstdint>

#include "machine/numbers/vector_dispatch.h"

#if TRL_VECTOR_DISPATCH
#include <immintrin.h>
#endif

namespace tritonrl::machine {

// One block of a product that is kept in registers.
template <class T>
struct Tile {
  const T* a;
  std::int64_t lda;
  const T* b;
  std::int64_t ldb, k;
  const T* c;  // null: zeros
  T* d;
  std::int64_t ldd;  // of c and d
};

template <class T>
using TileFunction = void (*)(const Tile<T>&);

template <class T, int kBytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(kBytes)));
  // The same, in memory that need not be aligned.
  typedef T unaligned __attribute__((vector_size(kBytes), aligned(alignof(T)), may_alias));
};

template <class V>
TRL_INLINE void multiply_add(const V& a, const V& b, V& sum) {
  sum += a * b;
}

#if TRL_VECTOR_DISPATCH
// Spelt out so that no compiler option decides whether the sum is fused.
using F32x16 = VectorOf<float, 64>::type;
using F64x8 = VectorOf<double, 64>::type;
using F32x8 = VectorOf<float, 32>::type;
using F64x4 = VectorOf<double, 32>::type;
TRL_TARGET_AVX512 TRL_INLINE void multiply_add(const F32x16& a, const F32x16& b, F32x16& sum) {
  sum = _mm512_fmadd_ps(a, b, sum);
}
TRL_TARGET_AVX512 TRL_INLINE void multiply_add(const F64x8& a, const F64x8& b, F64x8& sum) {
  sum = _mm512_fmadd_pd(a, b, sum);
}
TRL_TARGET_AVX2 TRL_INLINE void multiply_add(const F32x8& a, const F32x8& b, F32x8& sum) {
  sum = _mm256_fmadd_ps(a, b, sum);
}
TRL_TARGET_AVX2 TRL_INLINE void multiply_add(const F64x4& a, const F64x4& b, F64x4& sum) {
  sum = _mm256_fmadd_pd(a, b, sum);
}
#endif

}  // namespace tritonrl::machine

// Defines NAME<T, rows, vectors>(tile): rows × vectors sums of BYTES each stay in registers over the whole of k. A
// macro because the instruction set is an attribute of the function, which no template parameter can be.
#define TRL_DOT_DEFINE_TILE(NAME, BYTES, TARGET)                                                            \
  template <class T, int kRows, int kVectors>                                                               \
  TARGET void NAME(const Tile<T>& tile) {                                                                   \
    using V = typename VectorOf<T, BYTES>::type;                                                            \
    using Unaligned = typename VectorOf<T, BYTES>::unaligned;                                               \
    constexpr int kWidth = BYTES / static_cast<int>(sizeof(T));                                             \
    V sum[kRows][kVectors] = {};                                                                            \
    if (tile.c != nullptr) {                                                                                \
      _Pragma("GCC unroll 16") for (int r = 0; r < kRows; ++r) {                                            \
        _Pragma("GCC unroll 4") for (int v = 0; v < kVectors; ++v) {                                        \
          sum[r][v] = *reinterpret_cast<const Unaligned*>(tile.c + r * tile.ldd + v * kWidth);              \
        }                                                                                                   \
      }                                                                                                     \
    }                                                                                                       \
    const T* a = tile.a;                                                                                    \
    const T* b = tile.b;                                                                                    \
    const std::int64_t lda = tile.lda, ldb = tile.ldb;                                                      \
    for (std::int64_t i = 0; i < tile.k; ++i, ++a, b += ldb) {                                              \
      V right[kVectors];                                                                                    \
      _Pragma("GCC unroll 4") for (int v = 0; v < kVectors; ++v) {                                          \
        right[v] = *reinterpret_cast<const Unaligned*>(b + v * kWidth);                                     \
      }                                                                                                     \
      _Pragma("GCC unroll 16") for (int r = 0; r < kRows; ++r) {                                            \
        const V left = a[r * lda] - V{};                                                                    \
        _Pragma("GCC unroll 4") for (int v = 0; v < kVectors; ++v) multiply_add(left, right[v], sum[r][v]); \
      }                                                                                                     \
    }                                                                                                       \
    _Pragma("GCC unroll 16") for (int r = 0; r < kRows; ++r) {                                              \
      _Pragma("GCC unroll 4") for (int v = 0; v < kVectors; ++v) {                                          \
        *reinterpret_cast<Unaligned*>(tile.d + r * tile.ldd + v * kWidth) = sum[r][v];                      \
      }                                                                                                     \
    }                                                                                                       \
  }
