#include <gtest/gtest.h>

#include "tests/teacher/operators/bound_expression.h"

namespace tritonrl::teacher {
namespace {

using program::DType;

std::string recipe(std::string_view text) {
  const NamedFacts names{{"x", Fact::tensor(DType::kFloat32, {2, 3})}, {"y", Fact::tensor(DType::kFloat32, {3})},
                         {"i", Fact::tensor(DType::kInt64, {2, 3})},   {"z", Fact::tensor(DType::kComplex64, {2, 3})},
                         {"number", Fact{.kind = Fact::Kind::kFloat}}, {"flag", Fact{.kind = Fact::Kind::kBool}}};
  const BoundExpression expression(text, names);
  if (!expression.bound()) return "not bound";
  const Recipe* found = choose_recipe(*expression.bound());
  return found == nullptr ? "none" : std::string(found->text);
}

TEST(Recipes, TheFirstWhoseConditionsHold) {
  EXPECT_EQ(recipe("x + y"), "input + other");
  EXPECT_EQ(recipe("torch.add(x, y, alpha=2)"), "input + alpha * other");
  EXPECT_EQ(recipe("x ** 2"), "input * input");
  EXPECT_EQ(recipe("x ** 2.0"), "input * input");
  EXPECT_EQ(recipe("x ** -0.5"), "tl.rsqrt(input)");
  EXPECT_EQ(recipe("x ** number"), "libdevice.pow(input, exponent)");
  EXPECT_EQ(recipe("torch.clamp(x, min=0)"), "tl.maximum(input, min)");
  EXPECT_EQ(recipe("torch.clamp(x, max=y)"), "tl.minimum(input, max)");
  EXPECT_EQ(recipe("torch.clamp(x, 0, 1)"), "tl.minimum(tl.maximum(input, min), max)");
  EXPECT_EQ(recipe("torch.norm(x)"), "square = input * input; total = sum(square); tl.sqrt(total)");
  EXPECT_EQ(recipe("torch.norm(x, p=1, dim=1)"), "size = tl.abs(input); sum(size)");
  EXPECT_EQ(recipe("torch.norm(x, float('inf'))"), "size = tl.abs(input); max(size)");
  EXPECT_EQ(recipe("x.half()"), "input.to(tl.float16).to(tl.float32)");
}

TEST(Recipes, IntegersHaveTheirOwn) {
  EXPECT_EQ(recipe("i // 2").substr(0, 28), "quotient = input // other; r");
  EXPECT_EQ(recipe("x // y").substr(0, 28), "rest = libdevice.fmod(input,");
  EXPECT_EQ(recipe("x // 2.5").substr(0, 28), "rest = libdevice.fmod(input,");
  EXPECT_EQ(recipe("x // 2").substr(0, 19), "left = input * 1.0;");
  EXPECT_EQ(recipe("i // 2.5").substr(0, 19), "left = input * 1.0;");
  EXPECT_EQ(recipe("x ** i").substr(0, 19), "base = input * 1.0;");
  EXPECT_EQ(recipe("i.sum()"), "wide = input.to(tl.int64); sum(wide)");
  EXPECT_EQ(recipe("i ** 5"), "none");
  EXPECT_EQ(recipe("i.floor()"), "none");
}

TEST(Recipes, WhatIsNotKnownChoosesNone) {
  EXPECT_EQ(recipe("F.rrelu(x, training=flag)"), "none");
  EXPECT_EQ(recipe("F.rrelu(x)").substr(0, 8), "tl.where");
  EXPECT_EQ(recipe("F.softmax(x)"), "none");
  EXPECT_EQ(recipe("F.gelu(x, approximate='other')"), "none");
  EXPECT_EQ(recipe("x.round(decimals=2)"), "none");
  EXPECT_EQ(recipe("F.cross_entropy(x, i, ignore_index=0)"), "none");
  EXPECT_EQ(recipe("z + x"), "none");
  EXPECT_EQ(recipe("x.view(-1)"), "none");
}

}  // namespace
}  // namespace tritonrl::teacher
