#include "teacher/families/idioms.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "teacher/families/module_template.h"
#include "teacher/families/modules.h"

namespace tritonrl::teacher {
namespace {

TEST(Idioms, HeldOutOnesAreSorted) {
  EXPECT_TRUE(std::is_sorted(held_out_idioms().begin(), held_out_idioms().end()));
  for (const std::string_view one : held_out_idioms()) EXPECT_TRUE(is_held_out(one)) << one;
  EXPECT_FALSE(is_held_out("operator:relu"));
}

TEST(Idioms, HeldOutTemplatesExist) {
  for (const std::string_view one : held_out_idioms()) {
    if (!one.starts_with("template:")) continue;
    const auto& all = template_library().templates;
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const ModuleTemplate& of) {
      return "template:" + of.name == one;
    })) << one;
  }
}

TEST(Idioms, TrainingModulesNeverUseHeldOutOnes) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const DrawnModule module = draw_module(static_cast<Family>(seed % 3), seed);
    ASSERT_FALSE(module.held_out.any()) << module.text;
    for (const std::string_view word : {"celu", "erfc", "hypot", "logaddexp", "tanhshrink", "addcmul", "smooth_l1",
                                        "true_divide", "clamp_min(", ".clip(", "torch.clip", "softshrink", "log10",
                                        "input=", " nn.functional.", "=nn.functional.", "lambda ", " else "})
      ASSERT_EQ(module.text.find(word), std::string::npos) << word << "\n" << module.text;
  }
}

TEST(Idioms, EveryHeldOutOneIsUsedWhereTheyAreWanted) {
  std::vector<std::string> seen;
  for (std::uint64_t seed = 0; seed < 12000; ++seed)
    for (const std::string& one :
         draw_module(static_cast<Family>(seed % 3), seed, {.held_out = {.idioms = true, .operators = true}}).idioms)
      if (is_held_out(one) && std::find(seen.begin(), seen.end(), one) == seen.end()) seen.push_back(one);
  for (const std::string_view one : held_out_idioms())
    EXPECT_NE(std::find(seen.begin(), seen.end(), one), seen.end()) << one;
}

TEST(Idioms, OperatorsAreHeldOutApartFromTheOthers) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    for (const bool operators : {false, true}) {
      const HeldOut wanted{.idioms = !operators, .operators = operators};
      const DrawnModule module = draw_module(static_cast<Family>(seed % 3), seed, {.held_out = wanted});
      ASSERT_FALSE(operators ? module.held_out.idioms : module.held_out.operators) << module.text;
      for (const std::string& one : module.idioms) ASSERT_TRUE(!is_held_out(one) || wanted.of(one)) << one;
    }
  }
}

}  // namespace
}  // namespace tritonrl::teacher
