#include "machine/sample.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tritonrl::machine {
namespace {

TEST(Sample, TakesAllOfASmallGrid) {
  EXPECT_EQ(sample_programs({2, 3, 2}, 0).size(), 12u);
  EXPECT_EQ(sample_programs({2, 3, 2}, 50).size(), 12u);
  EXPECT_EQ(sample_programs({2, 3, 2}, 12).back(), 11);
}

TEST(Sample, HoldsTheCornersAndNoProgramTwice) {
  const std::array<std::int64_t, 3> grid = {100, 50, 10};
  const std::vector<std::int64_t> programs = sample_programs(grid, 64);
  EXPECT_EQ(programs.size(), 64u);
  EXPECT_TRUE(std::is_sorted(programs.begin(), programs.end()));
  EXPECT_EQ(std::adjacent_find(programs.begin(), programs.end()), programs.end());
  for (const std::int64_t corner : {0, 99, 4900, 4999, 45000, 49999}) {
    EXPECT_TRUE(std::binary_search(programs.begin(), programs.end(), corner)) << corner;
  }
}

TEST(Sample, OtherSeedsTakeOtherPrograms) {
  const std::array<std::int64_t, 3> grid = {100'000, 1, 1};
  EXPECT_EQ(sample_programs(grid, 64, 5), sample_programs(grid, 64, 5));
  EXPECT_NE(sample_programs(grid, 64, 5), sample_programs(grid, 64, 6));
}

TEST(Sample, IsSpreadOverTheGrid) {
  const std::vector<std::int64_t> programs = sample_programs({1'000'000, 1, 1}, 64);
  for (int tenth = 0; tenth < 10; ++tenth) {
    EXPECT_TRUE(std::any_of(programs.begin(), programs.end(), [&](std::int64_t p) { return p / 100'000 == tenth; }))
        << tenth;
  }
}

}  // namespace
}  // namespace tritonrl::machine
