#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/hash64.h"
#include "syntax/parse.h"
#include "teacher/families/module_template.h"
#include "teacher/families/modules.h"
#include "teacher/reader/rewrite.h"
#include "teacher/typing/infer_facts.h"

namespace tritonrl::teacher {
namespace {

constexpr ModuleOptions kReal{.real_styles = true};

TEST(RealStyles, AreUnderstoodWithoutRunning) {
  syntax::SyntaxArena arena;
  for (std::uint64_t seed = 0; seed < 1200; ++seed) {
    const DrawnModule drawn = draw_module(static_cast<Family>(seed % 4), base::mix64(seed), kReal);
    arena.clear();
    const syntax::Parsed parsed = syntax::parse(drawn.text, arena);
    ASSERT_NE(parsed.module, nullptr) << parsed.error << "\n" << drawn.text;
    const Inferred inferred = infer_facts(*parsed.module, drawn.entry_point);
    EXPECT_TRUE(inferred.complete) << inferred.missing << "\n" << drawn.text;
  }
}

TEST(RealStyles, ShowEveryHabit) {
  std::map<std::string, int> seen = {{") -> torch.Tensor:", 0},
                                     {") -> Tensor:", 0},
                                     {") -> None:", 0},
                                     {": int = ", 0},
                                     {"from __future__ import annotations", 0},
                                     {"from torch import Tensor", 0},
                                     {"return [[], {", 0},
                                     {", *", 0},
                                     {"torch.rand(", 0},
                                     {"torch.randn([", 0},
                                     {") * 2 - 1", 0},
                                     {"class Model(", 0},
                                     {"super().__init__()", 0},
                                     {"super(Model, self).__init__()", 0}};
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    std::string text = draw_module(static_cast<Family>(seed % 4), base::mix64(seed), kReal).text;
    for (std::size_t at = text.find(": int="); at != std::string::npos; at = text.find(": int="))
      text.replace(at, 6, ": int = ");
    for (auto& [habit, count] : seen) count += text.find(habit) != std::string::npos;
  }
  for (const auto& [habit, count] : seen) EXPECT_GE(count, 10) << habit;
}

// What torch alone would compute is no pair: a template of which nothing became a kernel would never be drawn.
TEST(RealStyles, EveryLoneOperatorHasAnAnswer) {
  std::map<std::string, std::pair<int, int>> answered;  // of those that were drawn
  for (const ModuleTemplate& one : template_library().templates)
    if (one.kind == "lone") answered["template:" + one.name] = {};
  ASSERT_GE(answered.size(), 50u);
  syntax::SyntaxArena arena;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const DrawnModule drawn = draw_module(Family::kSingle, base::mix64(seed), kReal);
    const auto found = answered.find(drawn.idioms.size() > 1 ? drawn.idioms[1] : "");
    if (found == answered.end() || found->second.second > 3) continue;
    ++found->second.first;
    arena.clear();
    const syntax::SyntaxNode& module = *syntax::parse(drawn.text, arena).module;
    std::string why;
    found->second.second +=
        rewrite(module, infer_facts(module, drawn.entry_point).facts, drawn.entry_point, {}, &why).has_value();
  }
  for (const auto& [name, counts] : answered) EXPECT_GE(counts.second, 1) << name << " of " << counts.first;
}

TEST(RealStyles, DependOnTheSeedAlone) {
  const std::string first = draw_module(Family::kSingle, 12, kReal).text;
  draw_module(Family::kFusion, 99, kReal);
  draw_module(Family::kSingle, 12);
  EXPECT_EQ(draw_module(Family::kSingle, 12, kReal).text, first);
}

TEST(Templates, HaveACopyForEachShape) {
  const TemplateLibrary library = read_templates(
      "== norm lone 2\nshapes BCL BCHW\ninput x SHAPE\nargs kernel=3,(3,5)\ninit\nself.$n = "
      "nn.BatchNormRANKd(4)\nforward\n"
      "return self.$n($x)\n== other lone\ninput x BD\nforward\nreturn $x\n");
  ASSERT_EQ(library.templates.size(), 3u);
  EXPECT_EQ(library.templates[0].inputs[0].shape, "BCL");
  EXPECT_EQ(library.templates[1].inputs[0].shape, "BCHW");
  EXPECT_EQ(library.templates[1].init[0].pieces.back().text, " = nn.BatchNorm2d(4)");
  EXPECT_EQ(library.templates[1].arguments[0].values, (std::vector<std::string>{"3", "(3, 5)"}));
  EXPECT_EQ(library.templates[2].name, "other");
}

}  // namespace
}  // namespace tritonrl::teacher
