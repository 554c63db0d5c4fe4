#include "data/prepare/statistics.h"

#include <gtest/gtest.h>

#include "base/fields.h"

namespace tritonrl::data {
namespace {

Statistics filled() {
  Statistics statistics;
  statistics.read = 12;
  for (int i = 0; i < 7; ++i) statistics.leave_out("null_code", "a, row " + std::to_string(i), "is null");
  statistics.tasks[0] = {0, 1, 2, 0};
  statistics.tasks[2][3] = 1;
  statistics.pairs[0][2] = 2;
  statistics.operators["relu"] = 3;
  statistics.verdicts["passed"] = 1;
  statistics.confusion[2][2] = 9;
  statistics.confusion[2][3] = 1;
  statistics.confusion[4][3] = 20;
  statistics.token_unit = "Python";
  for (int i = 1; i <= 1000; ++i) statistics.output_tokens.add(i);
  return statistics;
}

TEST(Statistics, ComesBack) {
  const Statistics statistics = filled();
  EXPECT_EQ(statistics.kept(), 4);
  EXPECT_EQ(statistics.kept_pairs(), 2);
  const base::Result<Statistics> back = base::from_json<Statistics>(to_json(statistics), "statistics");
  ASSERT_TRUE(back.ok()) << back.error();
  EXPECT_EQ(to_json(back.value()), to_json(statistics));
  EXPECT_EQ(to_text(back.value()), to_text(statistics));
  EXPECT_FALSE(base::from_json<Statistics>("{}", "statistics").ok());
}

TEST(Statistics, NamesTheFirstOfEachReason) {
  const std::string text = to_text(filled());
  EXPECT_NE(text.find("a, row 4: is null"), std::string::npos) << text;
  EXPECT_EQ(text.find("a, row 5: is null"), std::string::npos) << text;
  EXPECT_NE(text.find("agree on 9 of 10 of levels 1 to 3: 90.0 %"), std::string::npos) << text;
}

TEST(Spread, TellsQuantilesToFivePerCent) {
  const Spread spread = filled().output_tokens;
  EXPECT_EQ(spread.mean(), 500.5);
  EXPECT_NEAR(spread.quantile(0.5), 500, 25);
  EXPECT_NEAR(spread.quantile(0.95), 950, 48);
  EXPECT_EQ(spread.quantile(1), 1000);
  EXPECT_EQ(Spread().quantile(0.5), 0);
  Spread zero;
  zero.add(0);
  EXPECT_EQ(zero.quantile(0.5), 0);
}

}  // namespace
}  // namespace tritonrl::data
