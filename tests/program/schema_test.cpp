#include "program/schema.h"

#include <gtest/gtest.h>

#include "program/operator_table.h"
#include "tests/program/build_program.h"

namespace tritonrl::program {
namespace {

TEST(Schema, ReadsArgumentsAndResults) {
  const auto schema = parse_schema("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", nullptr);
  ASSERT_TRUE(schema);
  EXPECT_EQ(schema->name, "aten::add.Tensor");
  ASSERT_EQ(schema->arguments.size(), 3u);
  EXPECT_EQ(schema->arguments[1].name, "other");
  EXPECT_FALSE(schema->arguments[1].keyword_only);
  EXPECT_FALSE(schema->arguments[1].has_default);
  EXPECT_EQ(schema->arguments[2].type, Type::kScalar);
  EXPECT_TRUE(schema->arguments[2].keyword_only);
  EXPECT_TRUE(schema->arguments[2].has_default);
  ASSERT_EQ(schema->results.size(), 1u);
  EXPECT_FALSE(schema->results[0].aliases);
}

TEST(Schema, ReadsListsOptionsAliasesAndDefaultsWithCommas) {
  const auto schema = parse_schema(
      "aten::odd.out(Tensor(a -> *) self, Tensor?[] indices, SymInt[2]? stride=[1, 1], str mode=\"a,)\", *, "
      "Tensor(b!)[] out) -> (Tensor(a)[] views, Tensor(b!) x, int)",
      nullptr);
  ASSERT_TRUE(schema);
  ASSERT_EQ(schema->arguments.size(), 5u);
  EXPECT_TRUE(schema->arguments[0].aliases);
  EXPECT_FALSE(schema->arguments[0].mutated);
  EXPECT_TRUE(schema->arguments[1].list);
  EXPECT_TRUE(schema->arguments[1].optional_items);
  EXPECT_FALSE(schema->arguments[1].optional);
  EXPECT_TRUE(schema->arguments[2].optional);
  EXPECT_EQ(schema->arguments[2].list_size, 2);
  EXPECT_EQ(schema->arguments[3].type, Type::kString);
  EXPECT_TRUE(schema->arguments[4].is_out());
  ASSERT_EQ(schema->results.size(), 3u);
  EXPECT_TRUE(schema->results[0].list);
  EXPECT_EQ(schema->results[0].name, "views");
  EXPECT_TRUE(schema->results[1].mutated);
  EXPECT_EQ(schema->results[2].type, Type::kInt);
}

TEST(Schema, ReadsNoResults) {
  const auto schema = parse_schema("aten::f() -> ()", nullptr);
  ASSERT_TRUE(schema);
  EXPECT_TRUE(schema->arguments.empty());
  EXPECT_TRUE(schema->results.empty());
}

TEST(Schema, RefusesEverythingElseWithAReason) {
  for (const char* text :
       {"", "add(Tensor self) -> Tensor", "aten::f", "aten::f(Tensor self)", "aten::f(Tensor) -> Tensor",
        "aten::f(Storage s) -> Tensor", "aten::f(Tensor self -> Tensor", "aten::f(Tensor(a self) -> Tensor",
        "aten::f(int[x] a) -> Tensor", "aten::f(int[][] a) -> Tensor", "aten::f() -> Tensor name more",
        "aten::f(Tensor self) -> (Tensor", "aten::f(int[99999999999] a) -> Tensor"}) {
    std::string why;
    EXPECT_FALSE(parse_schema(text, &why)) << text;
    EXPECT_FALSE(why.empty()) << text;
  }
}

TEST(Schema, SurvivesEveryPrefixAndEveryChangedCharacter) {
  const std::string text =
      "aten::odd(Tensor(a!) self, Tensor?[] i, int[2] s=[1, 2], str m=\"x\", *, Scalar? c=1) -> (Tensor(a!), int)";
  for (std::size_t i = 0; i < text.size(); ++i) {
    parse_schema(text.substr(0, i), nullptr);
    for (const char c : {'(', ')', '[', ']', '"', ',', '!', '\0', '9'}) {
      std::string changed = text;
      changed[i] = c;
      parse_schema(changed, nullptr);
    }
  }
}

Argument argument(const std::string& type) {
  return parse_schema("aten::f(" + type + " a) -> ()", nullptr)->arguments.front();
}

TEST(ValueFits, FollowsTorch) {
  const Value tensor{TensorRef{0}}, integer = number(std::int64_t{3}), real = number(0.5), yes = flag(true);
  const Value text{std::string("mean")}, complex{std::complex<double>(0, 1)}, dtype{DType::kFloat16},
      device{Device::kTarget};
  const Value layout{Keyword{"strided"}}, format{Keyword{"channels_last"}}, ints = integers({1, 2}),
                                                                            tensors = list({tensor, tensor});
  struct Case {
    const char* type;
    std::vector<Value> fits, misfits;
  };
  const std::vector<Case> cases = {
      {"Tensor", {tensor, integer, real}, {none(), text, ints, dtype}},
      {"Tensor?", {tensor, none()}, {text}},
      {"Tensor(a!)", {tensor}, {integer, none()}},
      {"Tensor[]", {tensors, list({})}, {tensor, none(), list({tensor, none()}), list({integer})}},
      {"Tensor?[]", {tensors, list({none(), tensor})}, {none(), tensor}},
      {"Scalar", {yes, integer, real, complex}, {none(), tensor, text}},
      {"int", {integer}, {real, yes, ints, none(), dtype}},
      {"SymInt", {integer}, {real, tensor}},
      {"SymInt?", {integer, none()}, {real}},
      {"int[]", {ints, list({})}, {integer, list({real}), none()}},
      {"int[2]", {ints, integer, integers({3})}, {real}},
      {"int[1]?", {ints, integer, none()}, {text}},
      {"float", {real, integer}, {yes, complex, none()}},
      {"float[]?", {list({real, integer}), none()}, {real}},
      {"bool", {yes}, {integer, none()}},
      {"bool[3]", {list({yes, yes, yes})}, {yes, list({yes, yes}), list({yes, yes, integer})}},
      {"str", {text}, {integer, none(), format}},
      {"ScalarType?", {dtype, none()}, {integer, text}},
      {"Device", {device}, {text, integer, none()}},
      {"Layout?", {layout, none()}, {Value{Keyword{"sparse_coo"}}, text}},
      {"MemoryFormat?", {format, none()}, {layout, text}},
      {"Generator?", {none()}, {integer, text, tensor}},
  };
  for (const Case& c : cases) {
    for (const Value& value : c.fits) EXPECT_TRUE(value_fits(value, argument(c.type), nullptr)) << c.type;
    for (const Value& value : c.misfits) {
      std::string why;
      EXPECT_FALSE(value_fits(value, argument(c.type), &why)) << c.type;
      EXPECT_EQ(why.rfind("a: ", 0), 0u) << why;
    }
  }
}

TEST(CallFits, ChecksArgumentsAndResult) {
  const Operator& add = *find_operator("aten::add.Tensor");
  const Value x{TensorRef{0}}, y{TensorRef{1}};
  const auto fits = [&](AtenCall call) {
    std::string why;
    const bool ok = call_fits(call, add, &why);
    EXPECT_EQ(ok, why.empty());
    return ok ? "" : why;
  };
  EXPECT_EQ(fits({.op = "", .args = {x, y}, .kwargs = {}, .result = x, .at = {}}), "");
  EXPECT_EQ(fits({.op = "", .args = {x}, .kwargs = {{"other", y}, {"alpha", number(0.5)}}, .result = x, .at = {}}), "");
  EXPECT_EQ(fits({.op = "", .args = {x}, .kwargs = {}, .result = x, .at = {}}), "other: missing");
  EXPECT_EQ(fits({.op = "", .args = {x, y, number(0.5)}, .kwargs = {}, .result = x, .at = {}}),
            "alpha: only by keyword");
  EXPECT_EQ(fits({.op = "", .args = {x, y, x, y}, .kwargs = {}, .result = x, .at = {}}), "too many arguments: 4");
  EXPECT_EQ(fits({.op = "", .args = {x, y}, .kwargs = {{"self", x}}, .result = x, .at = {}}), "self: given twice");
  EXPECT_EQ(fits({.op = "", .args = {x, y}, .kwargs = {{"beta", x}}, .result = x, .at = {}}), "beta: no such argument");
  EXPECT_EQ(fits({.op = "", .args = {x, y}, .kwargs = {}, .result = none(), .at = {}}),
            "result: Tensor wanted, got none");
  EXPECT_EQ(fits({.op = "", .args = {x, y}, .kwargs = {}, .result = number(1.0), .at = {}}),
            "result: a number in place of a tensor");
}

TEST(CallFits, SeveralResultsMayHoldNone) {
  const Operator& maximum = *find_operator("aten::max.dim");
  const Value x{TensorRef{0}}, dim = number(std::int64_t{1});
  EXPECT_TRUE(
      call_fits({.op = "", .args = {x, dim}, .kwargs = {}, .result = list({x, x}), .at = {}}, maximum, nullptr));
  EXPECT_TRUE(
      call_fits({.op = "", .args = {x, dim}, .kwargs = {}, .result = list({x, none()}), .at = {}}, maximum, nullptr));
  EXPECT_FALSE(call_fits({.op = "", .args = {x, dim}, .kwargs = {}, .result = list({x}), .at = {}}, maximum, nullptr));
  EXPECT_FALSE(call_fits({.op = "", .args = {x, dim}, .kwargs = {}, .result = x, .at = {}}, maximum, nullptr));
}

}  // namespace
}  // namespace tritonrl::program
