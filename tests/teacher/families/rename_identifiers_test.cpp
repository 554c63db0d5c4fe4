#include "teacher/families/rename_identifiers.h"

#include <gtest/gtest.h>

#include "syntax/parse.h"
#include "syntax/unparse.h"
#include "teacher/families/generate.h"
#include "teacher/typing/infer_facts.h"

namespace tritonrl::teacher {
namespace {

std::string renamed_text(std::string_view text, std::uint64_t seed) {
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(text, arena);
  EXPECT_NE(parsed.module, nullptr) << parsed.error;
  return syntax::unparse(*rename_identifiers(*parsed.module, "Model", seed, arena).module);
}

constexpr std::string_view kNamedModule = R"(import torch
import torch.nn as nn

def squash(value, slope=2.0):
    return torch.tanh(value) * slope

class Model(nn.Module):

    def __init__(self, width, kept=3):
        super().__init__()
        self.fc = nn.Linear(width, width, bias=False)
        self.weight = nn.Parameter(torch.randn(width))
        self.register_buffer('mean', torch.zeros(width))

    def forward(self, x):
        bias = squash(self.fc(x), slope=1.5)
        mean = bias + self.fc.weight.sum()
        return mean * self.weight - self.mean

def get_inputs():
    return [torch.randn(2, 4)]

def get_init_inputs():
    return [[], {'width': 4}]
)";

TEST(CountedIdentifiers, SayWhatTheyNameAndNothingElse) {
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(R"(import torch
import torch.nn as nn
BATCH = 4

def squash(value, slope=2.0):
    return torch.tanh(value) * slope

class Gate(nn.Module):

    def __init__(self, width, kernel_size, var2=1):
        super().__init__()
        self.mix = nn.Linear(width, width)
        self.pool = nn.MaxPool1d(kernel_size=kernel_size)

    def forward(self, x):
        total = squash(self.mix(x), slope=1.5)
        return self.pool(total)

def get_inputs():
    return [torch.randn(BATCH, 4)]

def get_init_inputs():
    return [[], {'width': 4, 'kernel_size': 2}])",
                                              arena);
  ASSERT_NE(parsed.module, nullptr) << parsed.error;
  const Renamed renamed = counted_identifiers(*parsed.module, "Gate", arena);
  EXPECT_EQ(syntax::unparse(*renamed.module), R"(import torch
import torch.nn as nn
SIZE1 = 4

def helper1(var1, var2=2.0):
    return torch.tanh(var1) * var2

class Model(nn.Module):

    def __init__(self, var3, var4, var5=1):
        super().__init__()
        self.attr1 = nn.Linear(var3, var3)
        self.attr2 = nn.MaxPool1d(kernel_size=var4)

    def forward(self, var6):
        var7 = helper1(self.attr1(var6), var2=1.5)
        return self.attr2(var7)

def get_inputs():
    return [torch.randn(SIZE1, 4)]

def get_init_inputs():
    return [[], {'var3': 4, 'var4': 2}])");
  EXPECT_EQ(renamed.names.at("Gate"), "Model");
  EXPECT_EQ(renamed.attributes.at("mix"), "attr1");
}

std::string counted_text(std::string_view text) {
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(text, arena);
  EXPECT_NE(parsed.module, nullptr) << parsed.error;
  return syntax::unparse(*counted_identifiers(*parsed.module, "Model", arena).module);
}

TEST(CountedIdentifiers, AVariableIsNoAttributeOfTheSameName) {
  EXPECT_EQ(counted_text(R"(import torch
import torch.nn as nn

class Base(nn.Module):

    def __init__(self, dim, bias=True):
        super().__init__()
        self.fc = nn.Linear(dim, dim, bias=bias)
        self.register_buffer('scale', torch.ones(dim))

class Model(Base):

    def __init__(self, dim, bias=False):
        super().__init__(dim, bias=bias)
        self.mean = dim

    def forward(self, x):
        mean = torch.mean(x, dim=1, keepdim=True)
        return self.fc(x - mean) * self.scale + self.mean)"),
            R"(import torch
import torch.nn as nn

class Class1(nn.Module):

    def __init__(self, var1, var2=True):
        super().__init__()
        self.attr1 = nn.Linear(var1, var1, bias=var2)
        self.register_buffer('attr2', torch.ones(var1))

class Model(Class1):

    def __init__(self, var1, var2=False):
        super().__init__(var1, var2=var2)
        self.mean = var1

    def forward(self, var3):
        var4 = torch.mean(var3, dim=1, keepdim=True)
        return self.attr1(var3 - var4) * self.attr2 + self.mean)");
}

// Only a name that is computed may be any attribute's; what derives from a layer keeps that layer's words.
TEST(CountedIdentifiers, AttributesAreKeptWhereTheyMayBeAskedFor) {
  const auto counted = [](const std::string& base, const std::string& asked) {
    return counted_text(
        "import torch\nfrom torch import nn\n\nclass Model(" + base +
        "):\n\n    def __init__(self, dim):\n        super().__init__()\n        self.lora = nn.Linear(dim, dim)\n"
        "        self.stride = dim\n        self.act = " +
        asked + "\n");
  };
  EXPECT_NE(counted("nn.Module", "getattr(nn, 'ReLU')()").find("self.attr1 = nn.Linear"), std::string::npos);
  EXPECT_NE(counted("nn.Module", "hasattr(self, 'stride')").find("self.attr1 = nn.Linear"), std::string::npos);
  EXPECT_NE(counted("nn.Module", "hasattr(self, 'stride')").find("self.stride = var1"), std::string::npos);
  EXPECT_NE(counted("nn.Module", "getattr(self, dim)").find("self.lora = nn.Linear"), std::string::npos);
  EXPECT_NE(counted("nn.Module", "vars(self)").find("self.lora = nn.Linear"), std::string::npos);
  EXPECT_NE(counted("nn.Conv2d", "3").find("self.attr1 = nn.Linear"), std::string::npos);
  EXPECT_NE(counted("nn.Conv2d", "3").find("self.stride = var1"), std::string::npos);
  EXPECT_NE(counted("other.Base", "3").find("self.lora = nn.Linear"), std::string::npos);
}

TEST(CountedIdentifiers, WhatOthersNameIsKept) {
  // a layer's keyword, by its subclass's constructor
  const std::string layer = counted_text(
      "from torch import nn\nclass Model(nn.LayerNorm):\n    def __init__(self, ch, eps=1e-6):\n"
      "        super().__init__(ch, eps=eps)\n");
  EXPECT_NE(layer.find("super().__init__(var1, eps=eps)"), std::string::npos) << layer;
  // a builtin beside an attribute of its name
  const std::string builtin = counted_text(
      "import torch\nfrom torch import nn\nclass Model(nn.Module):\n    def __init__(self, d):\n        "
      "super().__init__()\n"
      "        self.map = nn.Linear(d, d)\n    def forward(self, x):\n        return sum(map(torch.relu, (self.map(x), "
      "x)))\n");
  EXPECT_NE(builtin.find("sum(map(torch.relu, (self.attr1(var2), var2)))"), std::string::npos) << builtin;
  // a builtin beside a variable of its name
  const std::string variable =
      counted_text("def pick(x, filter):\n    return x * filter\n\ndef keep(x):\n    return list(filter(None, x))\n");
  EXPECT_NE(variable.find("list(filter(None, "), std::string::npos) << variable;
  // an attribute that no statement stores, beside a variable of its name
  const std::string unseen = counted_text(
      "from torch import nn\nclass Model(nn.Module):\n    def __init__(self, d):\n        super().__init__()\n"
      "        for i in range(2):\n            self.add_module('conv%d' % i, nn.Linear(d, d))\n"
      "    def forward(self, x):\n        conv0 = self.conv0(x)\n        return conv0\n");
  EXPECT_NE(unseen.find("= self.conv0("), std::string::npos) << unseen;
  // a text that names a part
  const std::string part = counted_text(
      "from torch import nn\nclass Model(nn.Module):\n    def __init__(self, d):\n        super().__init__()\n"
      "        self.fc = nn.Linear(d, d)\n        self.w = self.get_parameter('fc.weight')\n");
  EXPECT_NE(part.find("self.fc = nn.Linear"), std::string::npos) << part;
}

// A keyword of a function that nobody here knows may be an argument of one of the file's.
TEST(CountedIdentifiers, KeywordsThatMayBeHandedOnAreKept) {
  const std::string partly = counted_text(
      "from functools import partial\nimport torch.nn as nn\nclass Part(nn.Module):\n    def __init__(self, rate):\n"
      "        super().__init__()\nclass Model(nn.Module):\n    def __init__(self, make=partial(Part, rate=2)):\n"
      "        super().__init__()\n        self.part = make()\n");
  EXPECT_NE(partly.find("def __init__(self, rate)"), std::string::npos) << partly;
  EXPECT_NE(partly.find("partial(Class1, rate=2)"), std::string::npos) << partly;
  const std::string open = counted_text(
      "import torch.nn as nn\nclass Part(nn.Module):\n    def __init__(self, dim, **rest):\n        "
      "super().__init__()\n"
      "        self.fc = nn.Linear(dim, dim, **rest)\nclass Model(nn.Module):\n    def __init__(self, dim, bias):\n"
      "        super().__init__()\n        self.part = Part(dim, bias=bias)\n");
  EXPECT_NE(open.find("(var1, bias=bias)"), std::string::npos) << open;
}

TEST(RenameIdentifiers, KeepsWhatOthersMeanByAName) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string text = renamed_text(kNamedModule, seed);
    for (const char* kept : {"class Model(nn.Module)", "def forward(self, ", "bias=False", "self.fc.weight.sum()",
                             "'mean'", "self.weight = nn.Parameter", "get_init_inputs"}) {
      const bool may_move = std::string_view(kept) == "self.fc.weight.sum()";
      if (may_move) {
        EXPECT_NE(text.find(".weight.sum()"), std::string::npos) << text;
      } else {
        EXPECT_NE(text.find(kept), std::string::npos) << kept << "\n" << text;
      }
    }
  }
}

TEST(RenameIdentifiers, RenamesEveryUseOfAName) {
  bool function = false, argument = false, attribute = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string text = renamed_text(kNamedModule, seed);
    function = function || text.find("squash(") == std::string::npos;
    attribute = attribute || text.find("self.fc ") == std::string::npos;
    if (text.find("'width'") == std::string::npos) {
      argument = true;
      EXPECT_EQ(text.find("(width,"), std::string::npos) << text;
    }
  }
  EXPECT_TRUE(function && argument && attribute);
  EXPECT_EQ(renamed_text(kNamedModule, 3), renamed_text(kNamedModule, 3));
  EXPECT_NE(renamed_text(kNamedModule, 3), renamed_text(kNamedModule, 4));
}

// The text under other names is understood as before: the same operators of the same shapes, and the same kernels but
// for their names.
TEST(RenameIdentifiers, WhatAModuleComputesStays) {
  GenerateOptions options{.seed = 11, .chains = 3};
  PairGenerator plain(options);
  for (std::uint64_t index = 0; index < 150; ++index) {
    const GeneratedPair pair = plain.pair(index);
    syntax::SyntaxArena arena;
    const syntax::Parsed parsed = syntax::parse(pair.module, arena);
    const Inferred before = infer_facts(*parsed.module, "Model");
    const Renamed other = rename_identifiers(*parsed.module, "Model", index, arena);
    const Inferred after = infer_facts(*other.module, "Model");
    ASSERT_EQ(after.complete, before.complete) << after.missing << "\n" << syntax::unparse(*other.module);
    const Facts moved = renamed_facts(before.facts, other);
    ASSERT_EQ(moved.size(), before.facts.size());
    for (const auto& [was, is] : other.nodes) {
      const Fact *expected = before.facts.of(was), *got = after.facts.of(is);
      ASSERT_EQ(expected == nullptr, got == nullptr) << syntax::unparse(*is);
      if (expected != nullptr) {
        ASSERT_TRUE(expected->kind == got->kind && expected->shape == got->shape);
      }
    }
    const auto first = rewrite(*other.module, after.facts, "Model", {});
    const auto second = rewrite(*other.module, moved, "Model", {});
    ASSERT_EQ(first.has_value(), second.has_value());
    if (first) {
      ASSERT_EQ(first->solution, second->solution);
    }
  }
}

TEST(Chains, HaveThreeToSixRegionsAndShareAttributes) {
  PairGenerator generator({.seed = 5, .fusions = 0, .singles = 0, .rewrites = 0, .chains = 1, .strict = 0});
  int regions = 0, negated = 0, helpers = 0, unbiased = 0;
  constexpr int kCount = 200;
  for (std::uint64_t index = 0; index < kCount; ++index) {
    const GeneratedPair pair = generator.pair(index);
    EXPECT_EQ(pair.family, Family::kChain);
    regions += pair.answer.regions.size() >= 3 ? 1 : 0;
    negated += pair.module.find("(1 - self.") != std::string::npos || pair.module.find("-self.") != std::string::npos;
    helpers += pair.module.find("\ndef ") < pair.module.find("class Model") ? 1 : 0;
    unbiased += pair.module.find("bias=False") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(regions, kCount * 8 / 10);
  EXPECT_GT(negated, kCount * 6 / 10);
  EXPECT_GT(helpers, kCount * 3 / 10);
  EXPECT_GT(unbiased, kCount * 7 / 10);
}

TEST(LoneOperators, OfABenchmarkAreDrawnWhereAskedFor) {
  GenerateOptions options{.seed = 5, .fusions = 0, .singles = 1, .rewrites = 0};
  options.refused = [](const std::string&) { return true; };
  options.lone_operators = true;
  const GeneratedPair pair = PairGenerator(options).pair(3);
  EXPECT_TRUE(pair.lone_of_benchmark);
}

}  // namespace
}  // namespace tritonrl::teacher
