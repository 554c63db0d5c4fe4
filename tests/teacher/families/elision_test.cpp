// What an answer's function has of its module's is written by its beginning alone.
#include "teacher/families/elision.h"

#include <gtest/gtest.h>

#include "syntax/parse.h"
#include "syntax/unparse.h"

namespace tritonrl::teacher {
namespace {

using Change = const syntax::SyntaxNode* (*)(const syntax::SyntaxNode&, const syntax::SyntaxNode&,
                                             syntax::SyntaxArena&);

std::string changed(const std::string& function, const std::string& of_module, Change change) {
  syntax::SyntaxArena arena;
  const syntax::Parsed given = syntax::parse(function, arena), module = syntax::parse(of_module, arena);
  EXPECT_NE(given.module, nullptr) << function;
  return syntax::unparse(*change(*given.module->nodes("body")[0], *module.module->nodes("body")[0], arena));
}

struct Case {
  std::string module, answer, short_answer;
};

const Case kCases[] = {
    {"def f(x):\n    y = conv(x)\n    z = relu(y)\n    w = z * 2\n    return pool(w)",
     "def f(x):\n    y = conv(x)\n    w = fused1(y)\n    return pool(w)",
     "def f(x):\n    y = ...\n    w = fused1(y)\n    return ..."},
    // of a name that is assigned to again and again nobody need count which it is
    {"def f(x):\n    x = conv(x)\n    x = norm(x)\n    x = relu(x)\n    y = pool(x)\n    return drop(y)",
     "def f(x):\n    x = conv(x)\n    x = fused1(x)\n    y = pool(x)\n    return drop(y)",
     "def f(x):\n    x = conv(x)\n    x = fused1(x)\n    y = ...\n    return ..."},
    {"def f(x):\n    x = conv(x)\n    x = relu(x)\n    x = drop(x)\n    return pool(x)",
     "def f(x):\n    x = fused1(x)\n    x = drop(x)\n    return pool(x)",
     "def f(x):\n    x = fused1(x)\n    x = drop(x)\n    return ..."},
    {"def f(x):\n    if x.dim() > 3:\n        x = x.flatten(2)\n    else:\n        x = x[None]\n    for k in "
     "self.layers:\n"
     "        y = k(x)\n        y = relu(y)\n        x += y\n    a, b = x.chunk(2)\n    log(a)\n    return a * b",
     "def f(x):\n    if x.dim() > 3:\n        x = x.flatten(2)\n    else:\n        x = x[None]\n    for k in "
     "self.layers:\n"
     "        y = k(x)\n        y = fused1(y)\n        x += y\n    a, b = x.chunk(2)\n    log(a)\n    return fused2(a, "
     "b)",
     "def f(x):\n    if x.dim() > 3:\n        ...\n    for k in self.layers:\n        y = k(x)\n        y = fused1(y)\n"
     "        x += y\n    a, b = ...\n    log(a)\n    return fused2(a, b)"},
};

TEST(Elision, StatementsOfTheModuleAreBegunAndComeBack) {
  for (const Case& one : kCases) {
    EXPECT_EQ(changed(one.answer, one.module, elided), one.short_answer);
    EXPECT_EQ(changed(one.short_answer, one.module, without_elisions), one.answer);
  }
}

TEST(Elision, OfSeveralTheNextIsMeant) {
  EXPECT_EQ(changed("def f(x):\n    x = ...\n    for k in self.layers:\n        x = fused1(k(x))\n    x = ...\n    x = "
                    "...\n    return x",
                    "def f(x):\n    x = conv(x)\n    for k in self.layers:\n        x = relu(k(x))\n    x = pool(x)\n  "
                    "  x = drop(x)\n"
                    "    return x",
                    without_elisions),
            "def f(x):\n    x = conv(x)\n    for k in self.layers:\n        x = fused1(k(x))\n    x = pool(x)\n    x = "
            "drop(x)\n    return x");
}

TEST(Elision, WhatStandsForNothingStays) {
  const std::string answer = "def f(x):\n    q = ...\n    while x:\n        ...\n    return x[..., 0]";
  EXPECT_EQ(changed(answer, "def f(x):\n    y = g(x)\n    return y", without_elisions), answer);
}

}  // namespace
}  // namespace tritonrl::teacher
