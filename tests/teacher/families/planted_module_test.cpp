#include "teacher/families/planted_module.h"

#include <gtest/gtest.h>

#include <set>

#include "syntax/parse.h"
#include "teacher/reader/rewrite.h"
#include "teacher/typing/infer_facts.h"

namespace tritonrl::teacher {
namespace {

constexpr std::string_view kModule = R"(import torch
import torch.nn as nn

def squash(value):
    return torch.tanh(value)

class Model(nn.Module):

    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        count = x.shape[0]
        hidden = self.fc(x)
        if count > 1:
            hidden = squash(hidden)
        total = hidden + x
        return total

def get_inputs():
    made = torch.randn(8, 16)
    return [made]

def get_init_inputs():
    return [16]
)";

std::optional<std::string> planted(std::string_view text, std::uint64_t seed) {
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(text, arena);
  EXPECT_NE(parsed.module, nullptr) << parsed.error;
  return planted_module(text, *parsed.module, infer_facts(*parsed.module, "Model").facts, seed);
}

TEST(PlantedModule, IsAnotherModuleThatTheTeacherSolves) {
  std::set<std::string> texts;
  int solved = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::optional<std::string> text = planted(kModule, seed);
    if (!text) continue;
    texts.insert(*text);
    EXPECT_EQ(planted(kModule, seed), text);
    // what makes the inputs and the model stays
    EXPECT_NE(
        text->find("self.fc = nn.Linear(width, width)\n\n    def forward(self, x):\n        count = x.shape[0]\n"),
        std::string::npos)
        << *text;
    EXPECT_NE(text->find("    made = torch.randn(8, 16)\n    return [made]\n"), std::string::npos) << *text;
    syntax::SyntaxArena arena;
    const syntax::Parsed parsed = syntax::parse(*text, arena);
    ASSERT_NE(parsed.module, nullptr) << parsed.error << "\n" << *text;
    const Inferred inferred = infer_facts(*parsed.module, "Model");
    ASSERT_TRUE(inferred.complete) << inferred.missing << "\n" << *text;
    solved += rewrite(*parsed.module, inferred.facts, "Model", {}, nullptr).has_value();
  }
  EXPECT_GE(texts.size(), 35u);
  EXPECT_GE(solved, 35);
}

TEST(PlantedModule, WantsATensorOfFloats) {
  EXPECT_FALSE(planted("class Model:\n\n    def forward(self, x):\n        return 1\n", 1));
}

}  // namespace
}  // namespace tritonrl::teacher
