#include <gtest/gtest.h>

#include <chrono>

#include "tests/abstract/read_module.h"
#include "tests/python/test_syntax.h"

// Texts that would keep a naive reader busy for ever, or break its stack.
namespace tritonrl::abstract {
namespace {

void expect_quick(const std::string& source) {
  const python::ParsedSource parsed = python::parse_text(source);
  ASSERT_TRUE(parsed.tree.has_value()) << parsed.error;
  const auto start = std::chrono::steady_clock::now();
  const ForwardOperators forward = forward_operators(parsed.tree->root(), "");
  difficulty_of(forward, source);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 1.0) << source.substr(0, 200);
  EXPECT_LE(forward.operators.size(), 4096u);
}

TEST(ForwardRobust, RecursionAndLoopsEnd) {
  expect_quick(model("", "return self.forward(x.relu())"));
  expect_quick(model("self.inner = Model()", "return self.inner(x)"));
  expect_quick(model("self.me = self", "return self.me(x + 1)"));
  expect_quick(model("self.s = nn.Sequential()\nself.s.append(self.s)", "return self.s(x)"));
  expect_quick(model("", "f = lambda g: g(g)\nreturn f(f)"));
  expect_quick(
      model("", "for a in range(250):\n  for b in range(250):\n    for c in range(250):\n      x = x + 1\nreturn x"));
  expect_quick(model("", "while True:\n    x = x + 1"));
  expect_quick(model("l = [1]\nfor i in range(100):\n    l = l + l\nself.l = l * 100000", "return x * len(self.l)"));
  expect_quick(model("t = 'a'\nfor i in range(200):\n    t = t + t\nself.t = t", "return x"));
  expect_quick(model("l = []\nl.append(l)\nself.l = l", "return torch.cat(self.l)"));
}

TEST(ForwardRobust, WhatGrowsIsBounded) {
  const std::string often = "for i in range(250):\n  for j in range(250):\n";
  expect_quick(
      model("from functools import partial\np = partial(nn.Linear, 3)\n" + often + "    p = partial(p)\nself.p = p()",
            "return self.p(x)"));
  expect_quick(model(often + "    setattr(self, f'a{i}_{j}', nn.ReLU())", "return getattr(self, x)(x)"));
  expect_quick(model("l = list(range(4000))\n" + often + "    self.k = list(l)", "return x"));
  expect_quick(model("t = torch\n" + often + "    t = t.a", "return t(x)"));
  expect_quick(model("s = nn.ReLU()\n" + often + "    s = nn.Sequential(s, s)\nself.s = s", "return self.s(x)"));
  expect_quick(
      model("a = list(range(250))\nfor i in range(250):\n  a = zip(a, a, a)\nself.a = a", "return x * sum(self.a)"));
  expect_quick(model("l = []\n" + often + "    if i.q:\n      l.append(l)\n    else:\n      l.insert(0, l)\nself.l = l",
                     "return torch.cat(self.l)"));
}

TEST(ForwardRobust, ALongConstructorLeavesEnoughForForward) {
  EXPECT_EQ(computing(model("for i in range(250):\n  for j in range(250):\n    self.k = i * j", "return x.relu()")),
            "relu");
}

TEST(ForwardRobust, ManyOpenConditions) {
  std::string forward;
  for (int i = 0; i < 3000; ++i) forward += "if x.dim() == " + std::to_string(i) + ":\n    return x.relu()\n";
  expect_quick(model("", forward + "return x"));
  std::string nested, indent;
  for (int i = 0; i < 18; ++i) {
    nested += indent + "if x.dim() == " + std::to_string(i) + ":\n";
    indent += "    ";
    nested += indent + "x = x + 1\n";
  }
  expect_quick(model("", nested + "return x"));
}

TEST(ForwardRobust, DeepExpressionsAndLongLists) {
  std::string deep = "x", sum = "x";
  for (int i = 0; i < 60; ++i) deep = "(" + deep + ").relu()";
  for (int i = 0; i < 150; ++i) sum += " + x";
  expect_quick(model("", "return " + deep));
  expect_quick(model("", "return " + sum));
  std::string list = "[";
  for (int i = 0; i < 20000; ++i) list += "1,";
  expect_quick(model("self.l = " + list + "]", "for i in self.l:\n    x = x + i\nreturn x"));
}

TEST(ForwardRobust, OddTexts) {
  for (const char* const source :
       {"class Model:\n  pass\n", "class Model(Model): pass\n", "class A(B): pass\nclass B(A): pass\n",
        "class Model:\n  forward = 3\n", "def get_inputs(): return 3\nclass Model:\n  def forward(): return\n",
        "class Model:\n  def forward(self, *a, **k):\n    return super().forward(*a, **k)\n",
        "class Model:\n  def __init__(self): super(Model, self).__init__(*x, **y)\n  def forward(self, x): return "
        "x[...]\n",
        "class Model:\n  def forward(self, x):\n    match x:\n      case 1: return x\n      case _: return x + 1\n",
        "class Model:\n  async def forward(self, x):\n    yield from x\n    del x\n    global q\n",
        "class Model:\n  def forward(self, x):\n    a, *b, c = [x]\n    *d, = x\n    (e, f), g = x\n    return b\n",
        "class Model:\n  def forward(self, x):\n    return -9223372036854775808 // -1 << 63 % 0 ** -1 + 10 ** 100\n"}) {
    expect_quick(source);
  }
}

}  // namespace
}  // namespace tritonrl::abstract
