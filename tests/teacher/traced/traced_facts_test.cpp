// What a traced run tells of a module, by the places of its text.
#include "teacher/traced/traced_facts.h"

#include <gtest/gtest.h>

#include "tests/teacher/traced/traced_module.h"

namespace tritonrl::teacher {
namespace {

std::string task(const std::string& constructor, const std::string& forward,
                 const std::string& inputs = "torch.rand(2, 8)", const std::string& before = "") {
  return "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n" + before +
         "\nclass Model(nn.Module):\n    def __init__(self):\n        super().__init__()\n        " + constructor +
         "\n    def forward(self, x):\n        " + forward + "\ndef get_inputs():\n    return [" + inputs +
         "]\ndef get_init_inputs():\n    return []\n";
}

std::string fact(const TracedModule& module, const std::string& expression) {
  EXPECT_EQ(module.error, "") << module.normal;
  const syntax::SyntaxNode* node = find_expression(module, expression);
  if (node == nullptr) return "no such expression";
  const Fact* found = module.facts.of(node);
  return found == nullptr ? "nothing" : describe(*found);
}

TEST(TracedFacts, TellTensorsNumbersAndTexts) {
  const TracedModule module = trace_module(task(
      "self.mode = 'mean'; self.scale = 0.5; self.flags = (1, True, None)",
      "y = F.relu(x * self.scale)[:, :1]\n        z = y.sum(dim=1) > 0\n        s = (self.mode, self.flags)\n        "
      "return (z, x.shape, float('inf'))"));
  EXPECT_EQ(fact(module, "x * self.scale"), "float32[2, 8]");
  EXPECT_EQ(fact(module, "F.relu(x * self.scale)[:, :1]"), "float32[2, 1]");
  EXPECT_EQ(fact(module, "y.sum(dim=1)"), "float32[2]");
  EXPECT_EQ(fact(module, "y.sum(dim=1) > 0"), "bool[2]");
  EXPECT_EQ(fact(module, "self.mode"), "nothing");  // the first one is a target
  EXPECT_EQ(fact(module, "(self.mode, self.flags)"), "(text 'mean', (int 1, bool True, None))");
  EXPECT_EQ(fact(module, "x.shape"), "(int 2, int 8)");
  EXPECT_EQ(fact(module, "float('inf')"), "float inf");
  EXPECT_EQ(fact(module, "F.relu"), "other torch.nn.functional.relu");
}

TEST(TracedFacts, TellModulesOfTorchWithTheirAttributes) {
  const TracedModule module = trace_module(task(
      "self.act = nn.LeakyReLU(0.2); self.norm = nn.BatchNorm1d(8, affine=False)", "return self.norm(self.act(x))"));
  EXPECT_EQ(fact(module, "nn.LeakyReLU(0.2)"),
            "LeakyReLU{training: bool True, negative_slope: float 0.2, inplace: bool False}");
  const Fact* norm = module.facts.of(find_expression(module, "nn.BatchNorm1d(8, affine=False)"));
  ASSERT_NE(norm, nullptr);
  EXPECT_EQ(describe(*norm->attribute("eps")), "float 1e-05");
  EXPECT_EQ(describe(*norm->attribute("weight")), "None");
  EXPECT_EQ(describe(*norm->attribute("running_var")), "float32[8]");
}

TEST(TracedFacts, ModulesThatDoMoreThanTheirClassAreOpaque) {
  const std::string classes = "class Mine(nn.ReLU):\n    pass\n";
  const TracedModule module = trace_module(
      task("self.a = Mine(); self.b = nn.utils.weight_norm(nn.Linear(8, 8)); self.c = nn.ReLU()\n        "
           "self.c.register_forward_hook(lambda m, i, o: o + 1)",
           "a = (self.a(x),)\n        b = (self.b(x),)\n        return self.c(x)", "torch.rand(2, 8)", classes));
  EXPECT_EQ(fact(module, "Mine()"), "module");
  EXPECT_EQ(fact(module, "nn.utils.weight_norm(nn.Linear(8, 8))"), "module");
  const syntax::SyntaxNode* call = find_expression(module, "self.c(x)");
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(describe(*module.facts.of(call->node("func"))), "module");
}

TEST(TracedFacts, TensorsOnTheHostAreNotForKernels) {
  const TracedModule module =
      trace_module(task("self.register_buffer('w', torch.ones(8) * 3)\n        self.fc = nn.Linear(8, 8)",
                        "steps = torch.arange(8) * 2\n        return self.fc(x) * self.w + steps.to(x.device)"));
  EXPECT_EQ(fact(module, "torch.ones(8) * 3"), "other");  // in the constructor
  EXPECT_EQ(fact(module, "torch.arange(8) * 2"), "other");
  EXPECT_EQ(fact(module, "steps.to(x.device)"), "int64[8]");
  EXPECT_EQ(fact(module, "self.w"), "float32[8]");
  EXPECT_EQ(describe(*module.facts.of(find_expression(module, "nn.Linear(8, 8)"))->attribute("weight")),
            "float32[8, 8]");
}

TEST(TracedFacts, MergeWhatDiffersBetweenEvaluations) {
  const TracedModule module = trace_module(
      task("self.layers = nn.ModuleList([nn.Linear(8, 4), nn.Linear(4, 2), nn.ReLU()])",
           "for layer in self.layers:\n            x = layer(x) * 2\n        for i in range(3):\n            x = x + "
           "i\n        k = helper(x), helper(3)\n        return x",
           "torch.rand(2, 8)", "def helper(v):\n    return v * 1.5\n"));
  EXPECT_EQ(fact(module, "layer"), "nothing");  // the target of the loop
  EXPECT_EQ(fact(module, "layer(x) * 2"), "float32[2, 4]");
  EXPECT_EQ(describe(*module.facts.of(find_expression(module, "layer(x)")->node("func"))), "unknown");
  EXPECT_EQ(describe(*module.facts.of(find_expression(module, "x + i")->node("right"))), "int");
  EXPECT_EQ(fact(module, "v * 1.5"), "unknown");
}

TEST(TracedFacts, AugmentedAssignmentsTellTheirResultAtTheTarget) {
  const TracedModule module =
      trace_module(task("self.w = nn.Parameter(torch.ones(3, 1, 1))",
                        "y = x.sum()\n        y += 1\n        x[:, :1] *= 2\n        return x + y"));
  EXPECT_EQ(module.error, "");
  const Fact* target = nullptr;
  for (int line = 1; line < 40 && target == nullptr; ++line) {
    const syntax::SyntaxNode* node = find_expression(module, "y");
    if (node != nullptr && node->line == line) target = module.facts.of(node);
  }
  EXPECT_EQ(fact(module, "x[:, :1]"), "nothing");  // reading it again could do something
  EXPECT_NE(describe(module).find(" y = float32[]"), std::string::npos) << describe(module);
}

TEST(TracedFacts, WhatIsShownStillMeansTheSame) {
  const std::string body =
      "y = [v for v in (x, x + 1) if (n := v.ndim) > 1]\n        f = lambda a, b=1: a * b\n        self.__kept = n\n   "
      "     z = "
      "f(y[0], b=self.__kept)\n        del y\n        text = f'{z.shape[0]:>{n}}'\n        g = (t * 2 for t in "
      "(z,))\n        return next(g)[..., None].squeeze(-1) if z.dim() == 2 and text else x";
  const TracedModule module = trace_module(task("self.p = super().extra_repr()", body));
  EXPECT_EQ(fact(module, "z.dim() == 2 and text"), "text ' 2'");
  EXPECT_EQ(fact(module, "next(g)[..., None]"), "float32[2, 8, 1]");
  EXPECT_EQ(fact(module, "super().extra_repr()"), "text ''");
}

TEST(TracedFacts, AFailureNamesPhaseAndLine) {
  const TracedModule module = trace_module(task("self.fc = nn.Linear(4, 4)", "return self.fc(x)"));
  EXPECT_FALSE(module.outcome.traced);
  EXPECT_EQ(module.outcome.phase, "forward");
  EXPECT_GT(module.outcome.line, 0);
  EXPECT_EQ(module.facts.size(), 0u);
}

TEST(TracedFacts, DamagedAnswersAreLeftOut) {
  const TracedModule module = trace_module(task("pass", "return x + 1"));
  ASSERT_TRUE(module.tree.has_value());
  for (const std::string values :
       {"", "[", "{}", "[[1]]", "[[1, 2, 3, 4, []]]", "[[\"a\", 2, 3, 4, [{}]]]", "[[9, 15, 9, 20, [{\"kind\": 3}]]]",
        "[[9, 15, 9, 20, [{\"kind\": \"tensor\", \"dtype\": \"float31\", \"shape\": [1]}]]]",
        "[[9, 15, 9, 20, [{\"kind\": \"tensor\", \"dtype\": \"float32\", \"shape\": [\"1\"]}]]]"}) {
    python::TraceOutcome outcome;
    outcome.traced = true;
    outcome.values = values;
    const Facts facts = traced_facts(module.tree->root(), outcome);
    const Fact* found = facts.of(find_expression(module, "x + 1"));
    EXPECT_TRUE(found == nullptr || found->kind == Fact::Kind::kOther) << values;
  }
}

}  // namespace
}  // namespace tritonrl::teacher
