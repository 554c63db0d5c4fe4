#include "python/kernel_arguments.h"

#include <gtest/gtest.h>

namespace tritonrl::python {
namespace {

using program::KernelParameter;
using program::Value;
using Part = KernelParameter::Part;

TEST(ArgumentType, ReadsWhatTheRecorderWrites) {
  EXPECT_EQ(read_argument_type("*fp32").value().text, "*fp32");
  EXPECT_TRUE(read_argument_type("constexpr").value().constant());
  const ArgumentType tuple = read_argument_type("(i32,(*fp16,constexpr),tensordesc<fp32[32, 64]>)").value();
  ASSERT_TRUE(tuple.tuple);
  ASSERT_EQ(tuple.items.size(), 3u);
  EXPECT_EQ(tuple.items[0].text, "i32");
  ASSERT_EQ(tuple.items[1].items.size(), 2u);
  EXPECT_EQ(tuple.items[1].items[0].text, "*fp16");
  EXPECT_EQ(tuple.items[2].text, "tensordesc<fp32[32, 64]>");
  EXPECT_EQ(tuple.items[2].descriptor_dimensions(), 2);
  EXPECT_EQ(tuple.items[0].descriptor_dimensions(), 0);
  EXPECT_TRUE(read_argument_type("()").value().items.empty());
}

TEST(ArgumentType, RefusesTheRest) {
  for (const std::string& text :
       {std::string(), std::string("(i32"), std::string("(i32,,i32)"), std::string(20'000, 'i'),
        std::string(5000, '(') + std::string(5000, ')'), std::string("(")}) {
    EXPECT_FALSE(read_argument_type(text).ok()) << text.substr(0, 20);
  }
}

program::LaunchVariant variant() {
  program::LaunchVariant out;
  out.arguments = {
      {"d", "tensordesc<fp32[32, 64]>", {.data = program::Descriptor{{3}, {8, 8}, {8, 1}, {32, 64}}}},
      {"n", "i32", {.data = std::int64_t{7}}, true},
      {"t",
       "(constexpr,*fp32,(i32,constexpr))",
       {.data = Value::List{{.data = std::int64_t{5}},
                            {.data = program::TensorRef{2}},
                            {.data = Value::List{{.data = std::int64_t{9}}, {.data = std::string("s")}}}}}},
      {"B", "constexpr", {.data = std::int64_t{64}}}};
  return out;
}

TEST(KernelParameters, AreTheArgumentsThatAreNoConstants) {
  const std::string d = "tensordesc<fp32[32, 64]>";
  const std::vector<KernelParameter> whole = parameters_of(variant(), {}).value();
  const std::vector<KernelParameter> expected = {
      {0, {}, Part::kDescriptor, 0, d},   {0, {}, Part::kShape, 0, "i32"},    {0, {}, Part::kShape, 1, "i32"},
      {0, {}, Part::kStride, 0, "i64"},   {0, {}, Part::kStride, 1, "i64"},   {1, {}, Part::kValue, 0, "i32"},
      {2, {1}, Part::kValue, 0, "*fp32"}, {2, {2, 0}, Part::kValue, 0, "i32"}};
  EXPECT_EQ(whole, expected);
  const std::vector<KernelParameter> apart = parameters_of(variant(), {.whole = false, .rounding = true}).value();
  std::vector<KernelParameter> taken_apart = {{0, {}, Part::kBase, 0, "*fp32"}, {0, {}, Part::kShape, 0, "i64"},
                                              {0, {}, Part::kShape, 1, "i64"},  {0, {}, Part::kStride, 0, "i64"},
                                              {0, {}, Part::kStride, 1, "i64"}, {0, {}, Part::kPadding, 0, "i1"},
                                              {0, {}, Part::kRounding, 0, "i1"}};
  taken_apart.insert(taken_apart.end(), expected.begin() + 1, expected.end());
  EXPECT_EQ(apart, taken_apart);
  EXPECT_EQ(parameters_of(variant(), {.whole = false, .rounding = false}).value().size(), apart.size() - 1);
}

TEST(KernelArguments, OnlyConstantsHaveValues) {
  const base::Json json = arguments_json(variant()).value();
  EXPECT_EQ(json.sorted().dump(),
            R"([{"name":"d","type":"tensordesc<fp32[32, 64]>"},{"aligned":true,"name":"n","type":"i32"},)"
            R"({"name":"t","type":["constexpr","*fp32",["i32","constexpr"]],"value":[5,null,[null,"s"]]},)"
            R"({"name":"B","type":"constexpr","value":64}])");
}

TEST(KernelArguments, ATupleMustHaveItsTypesItems) {
  program::LaunchVariant odd = variant();
  odd.arguments[2].value = {.data = std::int64_t{3}};
  EXPECT_FALSE(arguments_json(odd).ok());
  odd = variant();
  odd.arguments[2].type = "(constexpr,*fp32)";
  EXPECT_FALSE(arguments_json(odd).ok());
  odd.arguments[2].type = "(constexpr";
  EXPECT_FALSE(arguments_json(odd).ok());
  EXPECT_FALSE(parameters_of(odd, {}).ok());
}

}  // namespace
}  // namespace tritonrl::python
