#include "train/packing.h"

#include <gtest/gtest.h>

#include "tests/train/small_data.h"
#include "train/step_packer.h"

namespace tritonrl::train {
namespace {

TEST(Packing, LongestFirstWhereTheLeastRoomIsLeft) {
  const std::vector<std::int64_t> lengths = {4, 6, 3, 7};
  EXPECT_EQ(best_fit(lengths, 0, 2, 10), (std::vector<int>{1, 1, 0, 0}));
}

TEST(Packing, WhatWaitedGoesBeforeLongerOnes) {
  const std::vector<std::int64_t> lengths = {2, 9, 10};
  EXPECT_EQ(best_fit(lengths, 0, 1, 10), (std::vector<int>{-1, -1, 0}));
  EXPECT_EQ(best_fit(lengths, 1, 1, 10), (std::vector<int>{0, -1, -1}));
}

TEST(Packing, LeavesOutAndCountsWhatIsTooLong) {
  StepPacker packer({.bins = 1, .capacity = 10, .longest_example = 8});
  EXPECT_TRUE(packer.add(0, {}, 8));
  EXPECT_FALSE(packer.add(1, {}, 9));
  EXPECT_EQ(packer.left_out, 1);
  EXPECT_EQ(packer.take().tickets, std::vector<std::size_t>{0});
}

TEST(Packing, EveryExampleOfEveryEpochIsPackedOnce) {
  const auto source = std::make_shared<FewExamples>(random_examples(57, 3));
  const PackingOptions options{.bins = 2, .capacity = 64};
  const WeightedSource weighted{source, 1};
  const std::int64_t steps = count_steps(weighted, 5, 3, options);
  std::int64_t tokens = 0;
  for (const Example& example : source->examples()) tokens += 3 * example.length();
  EXPECT_GE(steps, tokens / 128);
  EXPECT_LE(steps, tokens / 100);  // bins are well filled
}

}  // namespace
}  // namespace tritonrl::train
