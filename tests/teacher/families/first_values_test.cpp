// What only gives parameters their first values is hidden from who writes kernels, and comes back.
#include "teacher/families/first_values.h"

#include <gtest/gtest.h>

#include "syntax/parse.h"
#include "syntax/unparse.h"
#include "teacher/families/taken_over.h"

namespace tritonrl::teacher {
namespace {

std::string without_first_values(const std::string& text) {
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(text, arena);
  EXPECT_NE(parsed.module, nullptr) << text;
  return parsed.module == nullptr
             ? ""
             : syntax::unparse(*without_parts(*parsed.module, first_values(*parsed.module), arena));
}

constexpr const char* kHead = "import torch\nimport torch.nn as nn\n\n";
constexpr const char* kForward = "\n\n    def forward(self, x):\n        return self.layer(x) * self.scale";

std::string model(const std::string& constructor, const std::string& further = "", const std::string& before = "") {
  return kHead + before + "class Model(nn.Module):\n\n    def __init__(self, size):\n        super().__init__()\n" +
         constructor + kForward + further;
}

constexpr const char* kMade =
    "        self.layer = nn.Linear(size, size)\n        self.scale = nn.Parameter(torch.empty(size))";

TEST(FirstValues, StatementsThatFillParametersGo) {
  const std::string made = kMade;
  EXPECT_EQ(without_first_values(
                model(made + "\n        nn.init.ones_(self.scale)\n        self.layer.weight.data.normal_(0, 0.02)"
                             "\n        std = 0.02\n        if self.layer.bias is not None:\n            "
                             "self.layer.bias.data.uniform_(-std, std)")),
            model(made));
  EXPECT_EQ(without_first_values(
                model(made + "\n        for part in self.modules():\n            if isinstance(part, nn.Linear):\n"
                             "                nn.init.xavier_uniform_(part.weight)")),
            model(made));
}

TEST(FirstValues, ALoopThatDoesMoreLosesTheLineAlone) {
  const std::string loop = std::string(kMade) +
                           "\n        total = 0\n        for part in self.parameters():\n            ",
                    rest = "total += 1\n        self.total = total";
  EXPECT_EQ(without_first_values(model(loop + "part.data.zero_()\n            " + rest)), model(loop + rest));
  const std::string adds =
      std::string(kMade) + "\n        for i in range(2):\n            self.add_module('part', nn.ReLU())";
  EXPECT_EQ(without_first_values(model(adds + "\n            self.scale.data.zero_()")), model(adds));
}

TEST(FirstValues, SoDoFunctionsThatNothingElseNames) {
  const std::string made = kMade;
  EXPECT_EQ(without_first_values(
                model(made + "\n        self.apply(self._init)",
                      "\n\n    def _init(self, m):\n        if isinstance(m, nn.Linear):\n            "
                      "fill_normal(m.weight)\n            m.bias.data = torch.zeros_like(m.bias)",
                      "import math\n\ndef fill_normal(tensor):\n    with torch.no_grad():\n        tensor.normal_(0, "
                      "math.sqrt(2))\n        return tensor\n\n")),
            model(made));
}

TEST(FirstValues, WhatMayDoMoreStays) {
  for (const std::string line : {
           "self.build()",                                    // makes an attribute
           "self.layers = nn.ModuleList()",                   //
           "self.register_buffer('mask', torch.ones(size))",  //
           "mask = torch.ones(size).tril_()\n        self.register_buffer('mask', mask)",
           "for i in range(2):\n            self.add_module('part', nn.ReLU())",
           "size.fill_(3)",  // no tensor of the module's
       }) {
    const std::string text = model(std::string(kMade) + "\n        " + line,
                                   "\n\n    def build(self):\n        self.scale.data.zero_()\n        self.other = 3");
    EXPECT_EQ(without_first_values(text), text);
  }
  // a function that forward calls
  const std::string text =
      std::string(kHead) +
      "def doubled(x):\n    x.mul_(2)\n    return x\n\nclass Model(nn.Module):\n\n    def forward(self, x):\n"
      "        return doubled(x)";
  EXPECT_EQ(without_first_values(text), text);
}

TEST(FirstValues, ComeBackInTheWholeAnswer) {
  const std::string text =
      model(std::string(kMade) + "\n        fill(self.scale)", "",
            "def fill(tensor):\n    value = tensor.numel()\n    return tensor.data.fill_(value)\n\n");
  const auto counted = counted_module(text, "Model");
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->shown.find("fill"), std::string::npos) << counted->shown;
  EXPECT_NE(counted->shown.find("return self.attr1(var2) * self.attr2"), std::string::npos) << counted->shown;
  const std::string answer = restored_answer(
      "class ModelNew(nn.Module):\n\n    def forward(self, var2):\n        return kernel(var2, self.attr1.weight, "
      "self.attr2)\n",
      *counted);
  EXPECT_NE(answer.find("helper1(self.scale)"), std::string::npos) << answer;
  EXPECT_NE(answer.find("tensor.data.fill_(") == std::string::npos ? answer.find(".data.fill_(") : 0, std::string::npos)
      << answer;
  EXPECT_NE(answer.find("kernel(var2, self.layer.weight, self.scale)"), std::string::npos) << answer;
}

}  // namespace
}  // namespace tritonrl::teacher
