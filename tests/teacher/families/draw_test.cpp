#include "teacher/families/draw.h"

#include <gtest/gtest.h>

#include <array>

namespace tritonrl::teacher {
namespace {

TEST(Draw, GivesTheSameNumbersEverywhere) {
  // Fixed: another sequence would change every generated file.
  EXPECT_EQ(Draw(1).bits(), 0xf18d6ce93d6cf1eeu);
  Draw draw(42);
  for (const int expected : {955, 486, 67, 676, 67, 195, 734, 111}) EXPECT_EQ(draw.below(1000), expected);
}

TEST(Draw, KeepsToItsBounds) {
  Draw draw(7);
  std::array<int, 5> seen{};
  for (int at = 0; at < 5000; ++at) ++seen[static_cast<std::size_t>(draw.between(3, 7) - 3)];
  for (const int count : seen) EXPECT_NEAR(count, 1000, 150);
}

TEST(Draw, NeverChoosesWeightZero) {
  Draw draw(9);
  std::array<int, 3> seen{};
  for (int at = 0; at < 4000; ++at) ++seen[static_cast<std::size_t>(draw.weighted({3, 0, 1}))];
  EXPECT_EQ(seen[1], 0);
  EXPECT_NEAR(seen[0], 3000, 200);
}

}  // namespace
}  // namespace tritonrl::teacher
