#include "teacher/families/generate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "teacher/families/counted_module.h"
#include "teacher/families/idioms.h"

namespace tritonrl::teacher {
namespace {

TEST(PairGenerator, GivesAPairByItsIndexAlone) {
  GenerateOptions options;
  options.seed = 5;
  PairGenerator one(options), other(options);
  for (std::uint64_t index = 0; index < 30; ++index) one.pair(index);
  const GeneratedPair a = one.pair(17), b = other.pair(17);
  EXPECT_EQ(a.id, "generated/5/17");
  EXPECT_EQ(a.module, b.module);
  EXPECT_EQ(a.answer.solution, b.answer.solution);
  EXPECT_FALSE(a.answer.regions.empty());
  EXPECT_NE(a.answer.solution.find("class ModelNew"), std::string::npos);
}

TEST(PairGenerator, CountsNamesAsPromptsDo) {
  GenerateOptions options;
  options.styles = Styles::kReal;
  options.counted_names = true;
  PairGenerator generator(options);
  for (std::uint64_t i = 0; i < 100; ++i) {
    const GeneratedPair pair = generator.pair(i);
    const auto counted = counted_module(pair.module, pair.entry_point);
    ASSERT_TRUE(counted);
    EXPECT_EQ(counted->text, pair.module) << "who asks for that module shows the same text";
    EXPECT_EQ(pair.module.find("\"\"\""), std::string::npos);
  }
}

TEST(PairGenerator, RefusesCompositions) {
  GenerateOptions options;
  PairGenerator plain(options);
  const std::string refused = plain.pair(3).operator_hash;
  options.refused = [&](const std::string& hash) { return hash == refused; };
  EXPECT_NE(PairGenerator(options).pair(3).operator_hash, refused);
}

TEST(PairGenerator, KeepsToItsFamilies) {
  GenerateOptions options;
  options.fusions = 0;
  options.rewrites = 0;
  PairGenerator generator(options);
  for (std::uint64_t index = 0; index < 40; ++index) EXPECT_EQ(generator.pair(index).family, Family::kSingle);
}

TEST(PairGenerator, HeldOutPairsEachHoldSomethingHeldOut) {
  GenerateOptions options;
  for (const bool operators : {false, true}) {
    options.held_out_idioms = !operators;
    options.held_out_operators = operators;
    PairGenerator generator(options);
    for (std::uint64_t index = 0; index < 60; ++index) {
      const GeneratedPair pair = generator.pair(index);
      EXPECT_TRUE(std::any_of(pair.idioms.begin(), pair.idioms.end(), [&](const std::string& one) {
        return is_held_out(one) && one.starts_with("operator:") == operators;
      }));
    }
  }
}

TEST(PairGenerator, NamedOperatorsAreInEachPairAndNoOthersThatAreHeldOut) {
  GenerateOptions options;
  options.operators = {"celu", "sigmoid"};
  PairGenerator generator(options);
  int celu = 0;
  for (std::uint64_t index = 0; index < 40; ++index) {
    const GeneratedPair pair = generator.pair(index);
    const auto has = [&](const char* idiom) { return std::ranges::find(pair.idioms, idiom) != pair.idioms.end(); };
    celu += has("operator:celu") ? 1 : 0;
    EXPECT_TRUE(has("operator:celu") || has("operator:sigmoid"));
    EXPECT_TRUE(std::ranges::none_of(
        pair.idioms, [](const std::string& one) { return is_held_out(one) && one != "operator:celu"; }));
  }
  EXPECT_GT(celu, 0);
  EXPECT_LT(celu, 40);
  options.operators = {"no_such_operator"};
  EXPECT_THROW(PairGenerator(options).pair(0), base::UserError);
}

}  // namespace
}  // namespace tritonrl::teacher
