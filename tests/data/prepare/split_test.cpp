#include "data/prepare/split.h"

#include <gtest/gtest.h>

#include <map>

namespace tritonrl::data {
namespace {

using record::Split;

TEST(Split, SharesAreKept) {
  std::map<Split, int> counts;
  for (int i = 0; i < 20'000; ++i)
    ++counts[split_of("key " + std::to_string(i), {.validation = 0.1, .test = 0.05, .seed = 0})];
  EXPECT_NEAR(counts[Split::kTest], 1'000, 130);
  EXPECT_NEAR(counts[Split::kValidation], 2'000, 180);
}

// Written down: a change would move tasks of old test sets into training.
TEST(Split, StaysTheSame) {
  std::string places;
  for (int i = 0; i < 40; ++i)
    places +=
        record::to_string(split_of("project " + std::to_string(i), {.validation = 0.3, .test = 0.3, .seed = 0}))[1];
  EXPECT_EQ(places, "rereererrrraarrarraerrerreaaraeaaarearra");
}

TEST(Split, EndsOfTheRange) {
  for (int i = 0; i < 200; ++i) {
    const std::string key = std::to_string(i);
    EXPECT_EQ(split_of(key, {.validation = 0, .test = 0, .seed = 0}), Split::kTrain);
    EXPECT_EQ(split_of(key, {.validation = 0, .test = 1, .seed = 0}), Split::kTest);
    EXPECT_EQ(split_of(key, {.validation = 1, .test = 0, .seed = 0}), Split::kValidation);
  }
}

TEST(Split, ForksGoWhereTheirOriginGoes) {
  EXPECT_EQ(project_key("Owner/Project"), "project");
  EXPECT_EQ(project_key("other/project.git"), "project");
  EXPECT_EQ(project_key("project/"), "project");
  EXPECT_NE(project_key("owner/a"), project_key("owner/b"));
}

}  // namespace
}  // namespace tritonrl::data
