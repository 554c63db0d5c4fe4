#include "runner/device/vary_inputs.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

namespace tritonrl::runner {
namespace {

// By element: four times what it was multiplied by.
at::Tensor factors(std::uint64_t seed) {
  const at::Tensor before = at::rand({4, 9}).add_(0.5), after = before.clone();
  EXPECT_TRUE(vary_inputs({after}, "uneven", seed));
  return after.div(before).mul(4).round();
}

TEST(VaryInputs, RowsHaveRunsOfThreeSizesThatBeginElsewhereInEachRow) {
  const at::Tensor first = factors(0);
  const std::vector<double> want = {4, 4, 4, 7, 7, 7, -3, -3, -3};
  for (std::int64_t i = 0; i < 9; ++i) {
    EXPECT_EQ(first[0][i].item().toDouble(), want[static_cast<std::size_t>(i)]);
    EXPECT_EQ(first[1][i].item().toDouble(), want[static_cast<std::size_t>((i + 3) % 9)]);
  }
  EXPECT_TRUE(factors(1)[0].equal(first[1]));
}

TEST(VaryInputs, WhatMeansSomethingStays) {
  const at::Tensor mask = at::rand({8, 8}).gt(0.5).to(at::kFloat), sorted = at::arange(64, at::kFloat).view({8, 8});
  const at::Tensor half = at::rand({8, 8}), symmetric = half.add(half.t());
  const at::Tensor integers = at::ones({8, 8}, at::kLong);
  EXPECT_FALSE(vary_inputs({mask.clone(), sorted.clone(), symmetric.clone(), integers.clone()}, "uneven", 5));
  EXPECT_TRUE(vary_inputs({mask, half}, "scaled", 0));
  EXPECT_EQ(mask.max().item().toDouble(), 1.0);
}

}  // namespace
}  // namespace tritonrl::runner
