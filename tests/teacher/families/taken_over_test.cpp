#include "teacher/families/taken_over.h"

#include <gtest/gtest.h>

#include "syntax/parse.h"
#include "syntax/unparse.h"
#include "teacher/families/generate.h"

namespace tritonrl::teacher {
namespace {

constexpr std::string_view kOwn = R"(import math
import torch
from torch import nn
STEP = 0.5

def squash(value):
    return torch.tanh(value) * STEP

class Gate(nn.Module):

    def __init__(self, width, bias=None, eps=1e-05, shape=(1,)):
        super().__init__()
        self.norm = nn.LayerNorm(width, eps=eps)
        self.bias = nn.Parameter(torch.zeros(shape))
        self.width = width

    def half(self, x):
        return squash(x) / 2

    def forward(self, x):
        return self.half(self.norm(x) + self.bias)

def get_inputs():
    return [torch.randn(2, 4)]

def get_init_inputs():
    return [[], {'width': 4}]
)";

constexpr std::string_view kShort = R"(# fused1 rows
#   add(var4, self.attr2)
import triton
import triton.language as tl

@triton.jit
def kernel1(x_ptr, bias_ptr, attr2_ptr):
    bias = tl.load(bias_ptr)
    attr2 = tl.load(attr2_ptr)
    tl.store(x_ptr, bias + attr2)

def fused1(x, bias, attr2):
    kernel1[1,](x, bias, attr2)
    return x

class ModelNew(nn.Module):

    def forward(self, var6):
        return self.half(fused1(self.attr1(var6), self.attr1.bias, self.attr2))
)";

TEST(TakenOver, WhatAnAnswerLacksIsTheModulesUnderTheModulesNames) {
  const std::optional<CountedModule> counted = counted_module(kOwn, "Gate");
  ASSERT_TRUE(counted);
  EXPECT_EQ(restored_answer(kShort, *counted), R"(# fused1 rows
#   add(var4, self.attr2)
import torch
from torch import nn
import triton
import triton.language as tl

@triton.jit
def kernel1(x_ptr, bias_ptr, attr2_ptr):
    bias = tl.load(bias_ptr)
    attr2 = tl.load(attr2_ptr)
    tl.store(x_ptr, bias + attr2)

def fused1(x, bias, attr2):
    kernel1[1,](x, bias, attr2)
    return x
SIZE1 = 0.5

def helper1(var1):
    return torch.tanh(var1) * SIZE1

class ModelNew(nn.Module):

    def __init__(self, width, bias=None, eps=1e-05, shape=(1,)):
        super().__init__()
        self.norm = nn.LayerNorm(width, eps=eps)
        self.bias = nn.Parameter(torch.zeros(shape))
        self.width = width

    def half(self, var6):
        return helper1(var6) / 2

    def forward(self, var6):
        return self.half(fused1(self.norm(var6), self.norm.bias, self.bias))
)") << counted->text;
}

// A constant of the module may be called as an argument of a constructor is.
TEST(TakenOver, ArgumentsKeepTheirNamesBesideConstants) {
  const std::optional<CountedModule> counted = counted_module(
      "import torch\nfrom torch import nn\nrank = 4\n\nclass Low(nn.Module):\n\n    def __init__(self, rank=rank):\n"
      "        super().__init__()\n        self.a = nn.Linear(rank, 2)\n\n    def forward(self, x):\n        return "
      "self.a(x)\n\n"
      "def get_init_inputs():\n    return [[], {'rank': 3}]\n",
      "Low");
  ASSERT_TRUE(counted);
  const std::string whole = restored_answer(
      "class ModelNew(nn.Module):\n\n    def forward(self, var2):\n        return self.attr1(var2)\n", *counted);
  EXPECT_NE(whole.find("var1 = 4\n"), std::string::npos) << whole;
  EXPECT_NE(whole.find("def __init__(self, rank=var1):"), std::string::npos) << whole;
  EXPECT_NE(whole.find("self.a = nn.Linear(rank, 2)"), std::string::npos) << whole;
}

TEST(TakenOver, AttributesThatTextsNameGetTheirNamesBack) {
  const std::optional<CountedModule> counted = counted_module(
      "import torch\nfrom torch import nn\n\nclass Table(nn.Module):\n\n    def __init__(self, pe):\n"
      "        super().__init__()\n        self.register_buffer('pe', torch.ones(pe))\n\n"
      "    def forward(self, x):\n        return x + self.pe\n",
      "Table");
  ASSERT_TRUE(counted);
  EXPECT_NE(counted->text.find("self.register_buffer('attr1', torch.ones(var1))"), std::string::npos) << counted->text;
  const std::string whole = restored_answer(
      "class ModelNew(nn.Module):\n\n    def forward(self, var2):\n        return var2 + self.attr1\n", *counted);
  EXPECT_NE(whole.find("self.register_buffer('pe', torch.ones(pe))"), std::string::npos) << whole;
  EXPECT_NE(whole.find("return var2 + self.pe"), std::string::npos) << whole;
}

TEST(TakenOver, WhatEverybodyCallsSoIsImported) {
  const std::string module =
      "import torch\n\nclass Model(torch.nn.Module):\n\n    def forward(self, x):\n        return x";
  const std::string whole = whole_answer(
      "class ModelNew(torch.nn.Module):\n\n    def forward(self, x):\n        return F.relu(x)\n", module, "Model");
  EXPECT_NE(whole.find("import torch.nn.functional as F\n"), std::string::npos) << whole;
  EXPECT_EQ(whole.find("import math"), std::string::npos) << whole;
  const std::string kernel = whole_answer(
      "@triton.jit\ndef k(x):\n    tl.store(x, libdevice.expm1(tl.load(x)))\n\nclass ModelNew(torch.nn.Module):\n\n"
      "    def forward(self, x):\n        k[1,](x)\n        return x\n",
      module, "Model");
  for (const char* import :
       {"import triton\n", "import triton.language as tl\n", "from triton.language.extra import libdevice\n"})
    EXPECT_NE(kernel.find(import), std::string::npos) << kernel;
  EXPECT_EQ(kernel.find("import torch\n"), kernel.rfind("import torch\n")) << "once: " << kernel;
}

TEST(TakenOver, WhatCannotBeReadStaysAsItIs) {
  const std::optional<CountedModule> counted = counted_module(kOwn, "Gate");
  ASSERT_TRUE(counted);
  EXPECT_EQ(restored_answer("def broken(:\n", *counted), "def broken(:\n");
  EXPECT_EQ(whole_answer("x = 1\n", "class (", "Model"), "x = 1\n");
  EXPECT_EQ(restored_answer("", *counted), "\n");
}

// A constructor that differs by the class of a layer alone is the module's, too.
TEST(TakenOver, AClassThatStandsForALayerIsUsedWhereThatIsMade) {
  constexpr std::string_view kModule =
      "from torch import nn\n\nclass Model(nn.Module):\n\n    def __init__(self):\n        super().__init__()\n"
      "        self.a = nn.Sequential(nn.Linear(2, 2), nn.ReLU())\n\n    def forward(self, x):\n        return "
      "self.a(x)\n";
  const std::string solution =
      "from torch import nn\n\nclass ReLU1(nn.ReLU):\n\n    def forward(self, x):\n        return fused1(x)\n\n"
      "class ModelNew(nn.Module):\n\n    def __init__(self):\n        super().__init__()\n"
      "        self.a = nn.Sequential(nn.Linear(2, 2), ReLU1())\n\n    def forward(self, x):\n        return "
      "self.a(x)\n";
  const std::string text = short_answer(solution, kModule, "Model");
  EXPECT_EQ(text.find("__init__"), std::string::npos) << text;
  EXPECT_NE(text.find("class ReLU1(nn.ReLU):"), std::string::npos) << text;
  EXPECT_EQ(whole_answer(text, kModule, "Model"), solution);
}

// The constructor of the solution is another: it is written.
TEST(TakenOver, WhatDiffersIsWritten) {
  constexpr std::string_view kModule =
      "import torch\n\nclass Model(torch.nn.Module):\n\n    def __init__(self):\n        super().__init__()\n\n"
      "    def forward(self, x):\n        return x\n";
  const std::string text = short_answer(
      "import torch\n\nclass ModelNew(torch.nn.Module):\n\n    def __init__(self):\n        super().__init__()\n"
      "        self.a = 1\n\n    def forward(self, x):\n        return x\n",
      kModule, "Model");
  EXPECT_NE(text.find("self.a = 1"), std::string::npos) << text;
  EXPECT_EQ(text.find("forward"), std::string::npos) << text;
  EXPECT_NE(whole_answer(text, kModule, "Model").find("return x"), std::string::npos);
}

TEST(TakenOver, GeneratedAnswersAreWholeAgain) {
  PairGenerator generator({.seed = 3, .chains = 1, .counted_names = true, .styles = Styles::kReal});
  std::size_t before = 0, after = 0, constructors = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const GeneratedPair pair = generator.pair(i);
    const std::string text = short_answer(pair.answer.solution, pair.module, pair.entry_point);
    before += pair.answer.solution.size();
    after += text.size();
    constructors += text.find("def __init__") != std::string::npos ? 1 : 0;
    const std::string whole = whole_answer(text, pair.module, pair.entry_point);
    syntax::SyntaxArena arena;
    const syntax::Parsed asked = syntax::parse(pair.answer.solution, arena), made = syntax::parse(whole, arena);
    ASSERT_NE(made.module, nullptr) << made.error << "\n" << whole;
    for (const syntax::SyntaxNode* statement : asked.module->nodes("body")) {
      if (!statement->is("FunctionDef") || !statement->text("name").starts_with("fused")) continue;
      EXPECT_NE(whole.find(syntax::unparse(*statement)), std::string::npos) << whole;
    }
  }
  EXPECT_LT(constructors, 30);
  EXPECT_LT(after, before * 97 / 100);
}

}  // namespace
}  // namespace tritonrl::teacher
