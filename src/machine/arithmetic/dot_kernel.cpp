#include "machine/arithmetic/dot_kernel.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "machine/arithmetic/dot_tile.h"

namespace tritonrl::machine {
namespace {

constexpr int kMaxRows = 8;

// The tiles of one instruction set: functions[v - 1][r - 1] takes r rows and v vectors of `width` columns.
template <class T>
struct TileSet {
  int rows = 0;
  std::int64_t width = 0;
  std::array<std::array<TileFunction<T>, kMaxRows>, 2> functions = {};
};

// The fused sum is ARM's own; x86-64 has none in its baseline.
#if defined(__aarch64__)
constexpr int kBaselineRows = 8;
#if !defined(__clang__)
#define TRL_DOT_FUSE __attribute__((optimize("fp-contract=fast")))
#endif
#else
constexpr int kBaselineRows = 4;
#endif
#ifndef TRL_DOT_FUSE
#define TRL_DOT_FUSE
#endif

TRL_DOT_DEFINE_TILE(baseline_tile, 16, TRL_DOT_FUSE)
#if TRL_VECTOR_DISPATCH
TRL_DOT_DEFINE_TILE(avx2_tile, 32, TRL_TARGET_AVX2)
TRL_DOT_DEFINE_TILE(avx512_tile, 64, TRL_TARGET_AVX512)
#endif

template <class T, int... kRow>
TileSet<T> baseline_tiles(std::integer_sequence<int, kRow...>) {
  return {sizeof...(kRow), 16 / sizeof(T), {{{baseline_tile<T, kRow + 1, 1>...}, {baseline_tile<T, kRow + 1, 2>...}}}};
}

#if TRL_VECTOR_DISPATCH
template <class T, int... kRow>
TileSet<T> avx2_tiles(std::integer_sequence<int, kRow...>) {
  return {sizeof...(kRow), 32 / sizeof(T), {{{avx2_tile<T, kRow + 1, 1>...}, {avx2_tile<T, kRow + 1, 2>...}}}};
}

template <class T, int... kRow>
TileSet<T> avx512_tiles(std::integer_sequence<int, kRow...>) {
  return {sizeof...(kRow), 64 / sizeof(T), {{{avx512_tile<T, kRow + 1, 1>...}, {avx512_tile<T, kRow + 1, 2>...}}}};
}
#endif

template <class T>
TileSet<T> tiles_for([[maybe_unused]] VectorWidth width) {
#if TRL_VECTOR_DISPATCH
  switch (width) {
    case VectorWidth::kAvx512:
      return avx512_tiles<T>(std::make_integer_sequence<int, 8>());
    case VectorWidth::kAvx2:
      return avx2_tiles<T>(std::make_integer_sequence<int, 6>());
    case VectorWidth::kBaseline:
      break;
  }
#endif
  return baseline_tiles<T>(std::make_integer_sequence<int, kBaselineRows>());
}

template <class T>
const TileSet<T>& tiles_of(VectorWidth width) {
  static const std::array<TileSet<T>, 3> all = {tiles_for<T>(VectorWidth::kBaseline), tiles_for<T>(VectorWidth::kAvx2),
                                                tiles_for<T>(VectorWidth::kAvx512)};
  return all[static_cast<std::size_t>(width)];
}

// Columns beyond the last whole vector: by way of a copy, because c and d end there.
template <class T>
void run_edge(const Tile<T>& tile, TileFunction<T> run, std::int64_t rows, std::int64_t columns) {
  alignas(64) T block[kMaxRows * kPanel] = {};
  if (tile.c != nullptr) {
    for (std::int64_t r = 0; r < rows; ++r) {
      std::memcpy(block + r * kPanel, tile.c + r * tile.ldd, static_cast<std::size_t>(columns) * sizeof(T));
    }
  }
  run({tile.a, tile.lda, tile.b, tile.ldb, tile.k, block, block, kPanel});
  for (std::int64_t r = 0; r < rows; ++r) {
    std::memcpy(tile.d + r * tile.ldd, block + r * kPanel, static_cast<std::size_t>(columns) * sizeof(T));
  }
}

template <class T>
void run(const TileSet<T>& tiles, const Product<T>& p) {
  for (std::int64_t j = 0; j < p.n;) {
    const std::int64_t left = p.n - j;
    const int vectors = left > tiles.width ? 2 : 1;
    const std::int64_t columns = std::min(left, vectors * tiles.width);
    const T* b = p.b + (j / kPanel) * p.panel_stride + j % kPanel;
    for (std::int64_t i = 0; i < p.m;) {
      const std::int64_t rows = std::min<std::int64_t>(p.m - i, tiles.rows);
      const TileFunction<T> run_tile = tiles.functions[vectors - 1][rows - 1];
      const T* c = p.c == nullptr ? nullptr : p.c + i * p.n + j;
      const Tile<T> tile = {p.a + i * p.lda, p.lda, b, p.ldb, p.k, c, p.d + i * p.n + j, p.n};
      if (columns == vectors * tiles.width) {
        run_tile(tile);
      } else {
        run_edge(tile, run_tile, rows, columns);
      }
      i += rows;
    }
    j += columns;
  }
}

}  // namespace

void multiply(const Product<float>& product, VectorWidth width) {
  run(tiles_of<float>(width), product);
}

void multiply(const Product<double>& product, VectorWidth width) {
  run(tiles_of<double>(width), product);
}

}  // namespace tritonrl::machine
