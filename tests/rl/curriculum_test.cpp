#include "rl/curriculum.h"

#include <gtest/gtest.h>

#include <vector>

namespace tritonrl::rl {
namespace {

constexpr CurriculumOptions kOptions{.curriculum_step_p = 0.2, .curriculum_window = 10};

TEST(Curriculum, GrowsWhileLevelOneGoesWellAndStopsAtItsEnd) {
  // right answers of ten in each round, and the share that the next round has
  const std::vector<std::pair<int, double>> rounds = {{3, 0.1}, {4, 0.1}, {5, 0.3}, {2, 0.3}, {9, 0.5}, {10, 0.5}};
  Curriculum curriculum(kOptions);
  EXPECT_EQ(curriculum.harder_share(), 0.1);
  for (const auto& [right, share] : rounds) {
    for (int i = 0; i < 10; ++i) curriculum.observe(1, i < right);
    curriculum.end_round();
    EXPECT_NEAR(*curriculum.harder_share(), share, 1e-12) << right;
  }
}

TEST(Curriculum, HarderTasksDoNotCount) {
  Curriculum curriculum(kOptions);
  for (int i = 0; i < 100; ++i) curriculum.observe(2, true);
  for (int i = 0; i < 100; ++i) curriculum.observe(0, true);
  curriculum.end_round();
  EXPECT_FALSE(curriculum.accuracy());
  EXPECT_EQ(curriculum.harder_share(), 0.1);
}

TEST(Curriculum, AFewAnswersTellNothing) {
  Curriculum curriculum(kOptions);
  curriculum.observe(1, true);
  curriculum.end_round();
  EXPECT_EQ(curriculum.harder_share(), 0.1);
  curriculum.observe(1, true);
  curriculum.end_round();
  EXPECT_NEAR(*curriculum.harder_share(), 0.3, 1e-12);
}

TEST(Curriculum, TheWindowMoves) {
  Curriculum curriculum(kOptions);
  for (int i = 0; i < 10; ++i) curriculum.observe(1, false);
  for (int i = 0; i < 5; ++i) curriculum.observe(1, true);
  EXPECT_EQ(curriculum.accuracy(), 0.5);
}

TEST(Curriculum, SwitchedOffHasNoShare) {
  CurriculumOptions off = kOptions;
  off.enable_adaptive_curriculum = false;
  EXPECT_FALSE(Curriculum(off).harder_share());
}

TEST(Curriculum, GoesOnFromItsState) {
  Curriculum first(kOptions);
  for (int i = 0; i < 7; ++i) first.observe(1, i % 2 == 0);
  first.end_round();
  const auto json = base::to_json(first.state());
  CurriculumState state;
  base::read_fields(json, state);
  Curriculum second(kOptions, state);
  EXPECT_EQ(second.state(), first.state());
  EXPECT_EQ(second.accuracy(), first.accuracy());
}

}  // namespace
}  // namespace tritonrl::rl
