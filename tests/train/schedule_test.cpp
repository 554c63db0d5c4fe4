#include "train/schedule.h"

#include <gtest/gtest.h>

namespace tritonrl::train {
namespace {

TEST(Schedule, RisesToThePeakAndFallsToItsPart) {
  const Schedule schedule{.learning_rate = 1, .warmup = 0.1, .final_fraction = 0.2};
  EXPECT_DOUBLE_EQ(schedule.rate(0, 100), 0.1);
  EXPECT_DOUBLE_EQ(schedule.rate(9, 100), 1);
  EXPECT_DOUBLE_EQ(schedule.rate(10, 100), 1);
  EXPECT_NEAR(schedule.rate(10 + 89 / 2, 100), 0.6, 0.02);
  EXPECT_DOUBLE_EQ(schedule.rate(99, 100), 0.2);
  EXPECT_DOUBLE_EQ((Schedule{.learning_rate = 1, .warmup = 0, .final_fraction = 0}.rate(0, 1)), 1);
}

}  // namespace
}  // namespace tritonrl::train
