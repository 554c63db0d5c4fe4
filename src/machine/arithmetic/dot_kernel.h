#pragma once

#include <cstdint>

#include "machine/numbers/vector_dispatch.h"

namespace tritonrl::machine {

// Right operands are read in panels of this many columns, so that any kernel can work on them.
inline constexpr std::int64_t kPanel = 32;
// A kernel reads whole groups of this many columns: what lies between n and the next multiple must be readable.
inline constexpr std::int64_t kColumnGroup = 16;

// d = a · b + c for one pair of matrices, T float or double. The element (i, p) of b is
// b[(p / kPanel) * panel_stride + i * ldb + p % kPanel]; c and d are dense and may be the same.
template <class T>
struct Product {
  std::int64_t m = 0, n = 0, k = 0;
  const T* a = nullptr;
  std::int64_t lda = 0;
  const T* b = nullptr;
  std::int64_t ldb = 0, panel_stride = 0;
  const T* c = nullptr;  // null: zeros
  T* d = nullptr;
};

// Sums in ascending order of k, with fused multiply-adds where the processor has them.
void multiply(const Product<float>& product, VectorWidth width = vector_width());
void multiply(const Product<double>& product, VectorWidth width = vector_width());

}  // namespace tritonrl::machine
