#include "program/schema_forms.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tritonrl::program {
namespace {

// As the schemas' own texts are read.
void expect_same(std::string_view line, const std::vector<const char*>& texts) {
  std::string why;
  const auto schemas = parse_schemas(line, &why);
  ASSERT_TRUE(schemas.has_value()) << why;
  ASSERT_EQ(schemas->size(), texts.size()) << line;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto expected = parse_schema(texts[i], &why);
    ASSERT_TRUE(expected.has_value()) << texts[i] << ": " << why;
    const Schema& schema = (*schemas)[i];
    EXPECT_EQ(schema.name, expected->name);
    const auto same_value = [](const auto& a, const auto& b) {
      return a.name == b.name && static_cast<const ValueType&>(a) == static_cast<const ValueType&>(b);
    };
    const auto same_argument = [&](const Argument& a, const Argument& b) {
      return same_value(a, b) && a.keyword_only == b.keyword_only && a.has_default == b.has_default;
    };
    EXPECT_TRUE(std::ranges::equal(schema.arguments, expected->arguments, same_argument)) << texts[i];
    EXPECT_TRUE(std::ranges::equal(schema.results, expected->results, same_value)) << texts[i];
  }
}

TEST(SchemaForms, BracesVaryTogetherOrAlone) {
  expect_same(
      "aten::{lt,less}.{Scalar,Tensor}(Tensor self, {Scalar,Tensor} other) -> Tensor",
      {"aten::lt.Scalar(Tensor self, Scalar other) -> Tensor", "aten::lt.Tensor(Tensor self, Tensor other) -> Tensor",
       "aten::less.Scalar(Tensor self, Scalar other) -> Tensor",
       "aten::less.Tensor(Tensor self, Tensor other) -> Tensor"});
}

TEST(SchemaForms, InPlaceOutAndForeach) {
  expect_same("aten::neg(Tensor self) -> Tensor | _ out foreach",
              {"aten::neg(Tensor self) -> Tensor", "aten::neg_(Tensor(a!) self) -> Tensor(a!)",
               "aten::neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
               "aten::_foreach_neg(Tensor[] self) -> Tensor[]", "aten::_foreach_neg_(Tensor(a!)[] self) -> ()"});
  expect_same("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor | _ _.Other out",
              {"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
               "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
               "aten::add_.Other(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
               "aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)"});
}

TEST(SchemaForms, WhatIsWrittenHasItsNameAndMakesNothing) {
  expect_same("aten::x_backward(Tensor grad) -> Tensor | grad_input",
              {"aten::x_backward(Tensor grad) -> Tensor",
               "aten::x_backward.grad_input(Tensor grad, *, Tensor(a!) grad_input) -> Tensor(a!)"});
  expect_same("aten::two(Tensor self) -> (Tensor, Tensor) | out other=a,b",
              {"aten::two(Tensor self) -> (Tensor, Tensor)",
               "aten::two.out(Tensor self, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
               "aten::two.other(Tensor self, *, Tensor(a!) a, Tensor(b!) b) -> (Tensor(a!), Tensor(b!))"});
  expect_same("aten::sort(Tensor self) -> (Tensor values, Tensor indices) | values",
              {"aten::sort(Tensor self) -> (Tensor values, Tensor indices)",
               "aten::sort.values(Tensor self, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, "
               "Tensor(b!) indices)"});
  expect_same(
      "aten::split_copy(Tensor self) -> Tensor[] | out",
      {"aten::split_copy(Tensor self) -> Tensor[]", "aten::split_copy.out(Tensor self, *, Tensor(a!)[] out) -> ()"});
  expect_same(
      "aten::eye(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
      "bool? pin_memory=None) -> Tensor | out",
      {"aten::eye(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
       "bool? pin_memory=None) -> Tensor",
       "aten::eye.out(int n, *, Tensor(a!) out) -> Tensor(a!)"});
}

TEST(SchemaForms, WhatIsNoFormIsRefused) {
  for (const char* line : {"aten::x(Tensor other) -> Tensor | _", "aten::x(Tensor self) -> Tensor | out=a,b",
                           "aten::x(Tensor self, int n) -> Tensor | foreach", "aten::{x,y(Tensor self) -> Tensor"}) {
    std::string why;
    EXPECT_FALSE(parse_schemas(line, &why).has_value()) << line;
    EXPECT_NE(why, "") << line;
  }
}

}  // namespace
}  // namespace tritonrl::program
