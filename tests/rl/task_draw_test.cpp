#include "rl/task_draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace tritonrl::rl {
namespace {

// 20 tasks of level 1, then 5 of level 2 and 3.
std::vector<int> levels() {
  std::vector<int> out(20, 1);
  out.insert(out.end(), {2, 2, 3, 2, 3});
  return out;
}

std::int64_t harder(const std::vector<std::size_t>& drawn) {
  return std::count_if(drawn.begin(), drawn.end(), [](std::size_t i) { return i >= 20; });
}

TEST(TaskDraw, HasTheShareThatIsAskedFor) {
  TaskDraw draw(levels(), 1);
  for (const auto& [share, wanted] : {std::pair{0.0, 0}, {0.1, 1}, {0.01, 1}, {0.3, 3}, {0.5, 5}})
    EXPECT_EQ(harder(draw.draw(10, share)), wanted) << share;
  EXPECT_EQ(harder(draw.draw(10, 1.0)), 5);  // there are no more
  EXPECT_EQ(harder(draw.draw(24, 0.0)), 4);  // nor of the others
}

TEST(TaskDraw, EveryTaskComesBeforeOneComesAgain) {
  TaskDraw draw(levels(), 1);
  std::map<std::size_t, int> seen;
  for (int round = 0; round < 10; ++round) {
    const auto drawn = draw.draw(5, 0.2);
    EXPECT_EQ(std::set<std::size_t>(drawn.begin(), drawn.end()).size(), 5U);
    for (const std::size_t each : drawn) ++seen[each];
  }
  for (std::size_t i = 0; i < 25; ++i) EXPECT_EQ(seen[i], 2) << i;
}

TEST(TaskDraw, GoesOnFromItsState) {
  TaskDraw one(levels(), 5);
  one.draw(7, 0.3);
  TaskDraw other(levels(), 5, one.state());
  EXPECT_EQ(one.draw(7, 0.3), other.draw(7, 0.3));
  EXPECT_NE(TaskDraw(levels(), 5).draw(7, 0.3), TaskDraw(levels(), 6).draw(7, 0.3));
}

TEST(TaskDraw, WithoutAShareAllAreAlike) {
  TaskDraw draw(levels(), 1);
  EXPECT_EQ(draw.draw(100, std::nullopt).size(), 25U);
}

TEST(TaskDraw, APoolMayBeEmpty) {
  EXPECT_EQ(TaskDraw(std::vector<int>{1, 1, 1}, 1).draw(2, 0.5).size(), 2U);
  EXPECT_EQ(TaskDraw(std::vector<int>{2, 2, 2}, 1).draw(2, 0.1).size(), 2U);
}

}  // namespace
}  // namespace tritonrl::rl
