// What prompts tell of a module's values.
#include "teacher/facts/leaf_facts.h"

#include <gtest/gtest.h>

#include "syntax/parse.h"
#include "teacher/typing/infer_facts.h"

namespace tritonrl::teacher {
namespace {

constexpr std::string_view kFactsModule = R"(import torch
import torch.nn as nn

def squash(t, k):
    return torch.tanh(t) * k

class Model(nn.Module):

    def __init__(self, c):
        super().__init__()
        self.conv = nn.Conv2d(c, c, 1, bias=False)
        self.fc = nn.Linear(c, c)
        self.shift = nn.Parameter(torch.randn(c, 1, 1))
        self.one = nn.Parameter(torch.tensor(0.5))
        self.scale = 0.3
        self.dim = 1
        self.extra = None

    def forward(self, x):
        x = self.conv(x) * self.scale + self.shift
        if self.extra is not None:
            x = x + self.extra
        s = x.mean(dim=self.dim, keepdim=True)
        return squash(x - s, 2.0) * -self.one

def get_inputs():
    return [torch.randn(2, 3, 4, 5)]

def get_init_inputs():
    return [3]
)";

std::string prompted(text::PromptFacts which) {
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(kFactsModule, arena);
  const Inferred inferred = infer_facts(*parsed.module, "Model");
  const std::vector<text::LeafFact> facts = leaf_facts(*parsed.module, inferred.facts, "Model");
  const std::string prompt =
      text::prompt({.code = kFactsModule, .normal = kFactsModule, .entry_point = "Model", .facts = facts},
                   {.form = text::PromptForm::kShort, .facts = which});
  EXPECT_TRUE(prompt.starts_with(kFactsModule));
  return prompt.substr(kFactsModule.size());
}

TEST(LeafFacts, TellWhatInputsAndAttributesAre) {
  EXPECT_EQ(prompted(text::PromptFacts::kLeaves),
            "# in squash\n# t: f32[n,n,n,n]\n# k: float\n# in forward\n# self.conv: Conv2d(bias=None)\n"
            "# x: f32[n,n,n,n]\n# self.scale: float\n# self.shift: f32[n,1,1]\n# self.extra: None\n# self.dim: 1\n"
            "# self.one: f32[]\n");
}

TEST(LeafFacts, TellValuesInBetweenWhereAskedFor) {
  const std::string told = prompted(text::PromptFacts::kValues);
  EXPECT_NE(told.find("# self.conv(x): f32[n,n,n,n]\n"), std::string::npos) << told;
  EXPECT_NE(told.find("# s: f32[n,1,n,n]\n"), std::string::npos) << told;
}

TEST(LeafFacts, AreLeftOutByDefault) {
  EXPECT_EQ(prompted(text::PromptFacts::kNone), "");
}

}  // namespace
}  // namespace tritonrl::teacher
