#include "judge/measured_times.h"

#include <gtest/gtest.h>

namespace tritonrl::judge {
namespace {

TEST(TrimmedTimes, LeaveOutATenthAtEitherEnd) {
  std::vector<double> trials(18, 10.0);
  trials.push_back(1000);  // a hiccup
  trials.push_back(1);     // a clock's
  const TrimmedTimes times = trimmed(trials);
  EXPECT_EQ(times.count, 16);
  EXPECT_DOUBLE_EQ(times.mean, 10);
  EXPECT_DOUBLE_EQ(times.cv, 0);
}

TEST(TrimmedTimes, VariationIsRelative) {
  const TrimmedTimes times = trimmed({9, 10, 11});
  EXPECT_EQ(times.count, 3);
  EXPECT_DOUBLE_EQ(times.mean, 10);
  EXPECT_DOUBLE_EQ(times.cv, 0.1);
  EXPECT_EQ(trimmed({}).count, 0);
}

TEST(Speedup, IntervalHoldsTheRatioAndNarrowsWithTrials) {
  std::vector<double> reference, candidate;
  for (int i = 0; i < 50; ++i) {
    reference.push_back(200 + i % 5);
    candidate.push_back(100 + i % 3);
  }
  const Speedup many = speedup_of(reference, candidate);
  EXPECT_NEAR(many.ratio, 2, 0.02);
  EXPECT_LT(many.low, many.ratio);
  EXPECT_GT(many.high, many.ratio);
  const Speedup few =
      speedup_of({reference.begin(), reference.begin() + 10}, {candidate.begin(), candidate.begin() + 10});
  EXPECT_GT(few.high - few.low, many.high - many.low);
  EXPECT_EQ(speedup_of({1}, {}).ratio, 0);
}

}  // namespace
}  // namespace tritonrl::judge
