#include "teacher/families/modules.h"

#include <gtest/gtest.h>

#include <set>

#include "syntax/parse.h"
#include "syntax/unparse.h"

namespace tritonrl::teacher {
namespace {

TEST(Modules, ArePythonInKernelBenchsLayout) {
  syntax::SyntaxArena arena;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const DrawnModule module = draw_module(static_cast<Family>(seed % 3), seed,
                                           {.held_out = {.idioms = seed % 2 == 0, .operators = seed % 2 == 0}});
    arena.clear();
    const syntax::Parsed parsed = syntax::parse(module.text, arena);
    ASSERT_NE(parsed.module, nullptr) << parsed.error << "\n" << module.text;
    const std::string normal = syntax::unparse(*parsed.module);
    for (const std::string_view part :
         {"class Model(nn.Module):", "def forward(self", "def get_inputs():", "def get_init_inputs():"})
      ASSERT_NE(normal.find(part), std::string::npos) << part << "\n" << normal;
  }
}

TEST(Modules, DependOnTheSeedAlone) {
  const std::string first = draw_module(Family::kRewrite, 12).text;
  draw_module(Family::kFusion, 99);
  EXPECT_EQ(draw_module(Family::kRewrite, 12).text, first);
  EXPECT_NE(draw_module(Family::kRewrite, 13).text, first);
}

TEST(Modules, AreHardlyEverTheSame) {
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) texts.insert(draw_module(Family::kRewrite, seed).text);
  EXPECT_GE(texts.size(), 2999u);
}

}  // namespace
}  // namespace tritonrl::teacher
