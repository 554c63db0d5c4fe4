#include "machine/arithmetic/dot_kernel.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tritonrl::machine {
namespace {

template <class T>
void expect_widths_agree(std::int64_t m, std::int64_t n, std::int64_t k) {
  std::mt19937 random(9);
  std::uniform_int_distribution<int> small(-8, 8);
  const std::int64_t columns = (n + kPanel - 1) / kPanel * kPanel;
  std::vector<T> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * columns));
  for (T& x : a) x = static_cast<T>(small(random));
  for (T& x : b) x = static_cast<T>(small(random));
  for (const VectorWidth width : {VectorWidth::kBaseline, VectorWidth::kAvx2, VectorWidth::kAvx512}) {
    if (width > vector_width()) continue;
    std::vector<T> d(static_cast<std::size_t>(m * n), 7);
    Product<T> product{.m = m,
                       .n = n,
                       .k = k,
                       .a = a.data(),
                       .lda = k,
                       .b = b.data(),
                       .ldb = kPanel,
                       .panel_stride = kPanel * k,
                       .c = nullptr,
                       .d = d.data()};
    multiply(product, width);
    product.c = product.d;
    multiply(product, width);
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        T sum = 0;
        for (std::int64_t p = 0; p < k; ++p) sum += a[i * k + p] * b[(j / kPanel * k + p) * kPanel + j % kPanel];
        ASSERT_EQ(d[i * n + j], 2 * sum) << "width " << static_cast<int>(width) << " at " << i << "," << j;
      }
    }
  }
}

TEST(DotKernelTest, EveryWidthAndTileGivesTheSameSums) {
  for (std::int64_t m = 1; m <= 17; ++m) {
    for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 23, 24, 31, 32, 33, 48, 63, 64, 65}) {
      expect_widths_agree<float>(m, n, 1 + (m + n) % 5);
      expect_widths_agree<double>(m, n, 1 + (m + n) % 5);
    }
  }
}

}  // namespace
}  // namespace tritonrl::machine
