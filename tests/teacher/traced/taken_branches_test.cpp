// Modules for the configuration that a traced run met.
#include "teacher/families/taken_branches.h"

#include <gtest/gtest.h>

#include "syntax/unparse.h"
#include "tests/teacher/traced/traced_module.h"

namespace tritonrl::teacher {
namespace {

constexpr const char* kEnd =
    "\n\ndef get_inputs():\n    return [torch.rand(2, 8)]\n\ndef get_init_inputs():\n    return []";

std::string indented(const std::string& statements, const std::string& by = "        ") {
  std::string out = by;
  for (const char c : statements) {
    out += c;
    if (c == '\n') out += by;
  }
  return out;
}

std::string module_of(const std::string& constructor, const std::string& forward, const std::string& before = "",
                      const std::string& after = "") {
  return "import torch\nimport torch.nn as nn" + before +
         "\n\nclass Model(nn.Module):\n\n    def __init__(self, size=8, flag=False, kind='plain'):\n"
         "        super().__init__()\n" +
         indented(constructor) + "\n\n    def forward(self, x, mask=None):\n" + indented(forward) + after + kEnd;
}

std::string taken(const std::string& text) {
  const TracedModule module = trace_module(text);
  EXPECT_EQ(module.error, "") << text;
  if (!module.tree) return "";
  syntax::SyntaxArena arena;
  return syntax::unparse(*taken_branches(module.tree->root(), module.facts, "Model", arena));
}

TEST(TakenBranches, TheConfigurationDecides) {
  EXPECT_EQ(taken(module_of(
                "self.flag = flag\nself.kind = kind\nself.bias = None\nself.act = nn.ReLU() if flag else nn.GELU()",
                "if self.flag:\n    x = x * 2\nelif self.kind == 'plain':\n    x = x + 1\nelse:\n    x = x - 1\n"
                "if self.bias is not None and x.shape[0] > 3:\n    x = x + self.bias\n"
                "if not self.flag or mask is not None:\n    x = self.act(x)\n"
                "return x if mask is None else x * mask")),
            module_of("self.act = nn.GELU()", "x = x + 1\nx = self.act(x)\nreturn x"));
}

TEST(TakenBranches, AssignmentsOfLayersAndTensorsHideNothing) {
  EXPECT_EQ(
      taken(module_of(
          "self.flag = flag\nself.line = nn.Linear(size, size)\nif self.flag:\n    self.more = nn.Linear(size, size)",
          "if mask is not None:\n    mask = mask.to(x)\n    x = x * mask\nx = self.line(x)\n"
          "if x is not None:\n    return x")),
      module_of("self.line = nn.Linear(size, size)", "x = self.line(x)\nreturn x"));
}

TEST(TakenBranches, WhatOtherInputsMayDecideStays) {
  const std::string text =
      module_of("self.size = size",
                "b, c = x.shape\nif c > 4:\n    x = x + 1\nif x.dtype == torch.float32:\n    x = x * 2\n"
                "if x.sum() > 0:\n    x = x - 1\nn = b * 2\nif n == 4:\n    x = x * 3\nif x.size(0) > self.size:\n    "
                "x = x / 2\nreturn x");
  EXPECT_EQ(taken(text), text);
}

TEST(TakenBranches, WhatOnlyComplainsGoes) {
  EXPECT_EQ(taken(module_of("self.scale = 2.0",
                            "assert x.dim() == 2, 'two'\nif x.shape[1] > 100:\n    raise ValueError('wide')\n"
                            "return x * self.scale\nprint(x)")),
            module_of("self.scale = 2.0", "return x * self.scale"));
}

TEST(TakenBranches, WhatWasNeverRunGoes) {
  const std::string helper = "\n\ndef exists(value):\n    return value is not None";
  const std::string other = "\n\nclass Other(nn.Module):\n\n    def forward(self, x):\n        return x + 1";
  EXPECT_EQ(taken(module_of("self.other = Other() if flag else None\nself.weight = nn.Parameter(torch.ones(size))",
                            "if exists(self.other):\n    x = self.other(x)\nreturn x", helper + other,
                            "\n\n    def reset(self):\n        self.weight.fill_(1)")),
            module_of("self.weight = nn.Parameter(torch.ones(size))", "return x"));
}

TEST(TakenBranches, WhatIsAddedToStays) {
  const std::string text = module_of("self.width = size\nself.width *= 2", "return x * 2");
  EXPECT_EQ(taken(text), text);
}

TEST(TakenBranches, FunctionsThatAreAskedForByNameStay) {
  const std::string text =
      module_of("self.how = 'double'", "return getattr(self, self.how)(x)", "",
                "\n\n    def double(self, x):\n        return x * 2\n\n    def half(self, x):\n        return x / 2");
  EXPECT_EQ(taken(text), text);
}

// A module is used in both modes, and a layer's own attributes are read by torch.
TEST(TakenBranches, WhatTorchOrTheModeDecidesStays) {
  const std::string layer =
      "\n\nclass Line(nn.Linear):\n\n    def __init__(self):\n        super().__init__(8, 8)\n        self.kept = 1";
  const std::string text =
      module_of("self.line = Line()", "x = self.line(x)\nif self.training:\n    return x + 1\nreturn x", layer);
  EXPECT_EQ(taken(text), text);
}

// One class, made twice.
TEST(TakenBranches, WhatDiffersFromUseToUseStays) {
  const std::string block =
      "\n\nclass Block(nn.Module):\n\n    def __init__(self, flag):\n        super().__init__()\n        self.flag = "
      "flag"
      "\n\n    def forward(self, x):\n        if self.flag:\n            return x + 1\n        return x * 2";
  const std::string text = module_of("self.a = Block(True)\nself.b = Block(False)", "return self.b(self.a(x))", block);
  EXPECT_EQ(taken(text), text);
}

}  // namespace
}  // namespace tritonrl::teacher
