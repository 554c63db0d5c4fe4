#include "base/statistics.h"

#include "base/files.h"
#include "base/json.h"
#include "tests/paths.h"

namespace tritonrl::base {
namespace {

// scripts/make_statistics_goldens.py, by scipy
Json goldens() {
  return Json::parse(read_file(source_path("tests/base/goldens/statistics.json")));
}

TEST(Statistics, AgreeWithScipy) {
  const Json golden = goldens();
  ASSERT_GT(golden.at("wilson").size(), 20u);
  for (const Json& row : golden.at("wilson")) {
    const Interval interval = wilson_interval(row.at("successes").real(), row.at("trials").integer());
    EXPECT_NEAR(interval.low, row.at("low").real(), 1e-9) << row;
    EXPECT_NEAR(interval.high, row.at("high").real(), 1e-9) << row;
  }
  for (const Json& row : golden.at("mcnemar")) {
    const double p = row.at("p").real();
    EXPECT_NEAR(mcnemar_exact(row.at("only_first").integer(), row.at("only_second").integer()), p, 1e-8 * p) << row;
  }
  ASSERT_GT(golden.at("pass_at_k").size(), 30u);
  for (const Json& row : golden.at("pass_at_k")) {
    EXPECT_NEAR(pass_at_k(row.at("samples").get<int>(), row.at("correct").get<int>(), row.at("k").get<int>()),
                row.at("value").real(), 1e-12)
        << row;
  }
  const Json& mean = golden.at("geometric_mean");
  EXPECT_NEAR(geometric_mean(mean.at("values").get<std::vector<double>>()), mean.at("value").real(), 1e-12);
}

TEST(Statistics, MedianIsTheMiddleOrBetweenTheTwo) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
}

TEST(Statistics, NothingIsKnownOfNoTasks) {
  EXPECT_EQ(wilson_interval(0, 0).low, 0);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

}  // namespace
}  // namespace tritonrl::base
