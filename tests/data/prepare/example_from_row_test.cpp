#include "data/prepare/example_from_row.h"

#include <gtest/gtest.h>

namespace tritonrl::data {
namespace {

Row kernelbook() {
  return {{{"python_code", std::string("class Softmax: pass")},
           {"triton_code", std::string("@triton.jit\ndef k(): pass\nclass SoftmaxNew: pass\nx = MySoftmaxNew\n")},
           {"entry_point", std::string("Softmax")},
           {"repo_name", std::string("owner/name")},
           {"licenses", std::vector<std::string>{"MIT"}},
           {"uuid", std::int64_t{17}}}};
}

TEST(ExampleFromRow, ReadsKernelBook) {
  const auto made = example_from_row(kernelbook());
  ASSERT_TRUE(std::holds_alternative<Example>(made));
  const Example& example = std::get<Example>(made);
  EXPECT_EQ(example.id, "kernelbook/17");
  EXPECT_EQ(example.repository, "owner/name");
  EXPECT_EQ(example.licenses, std::vector<std::string>{"MIT"});
  EXPECT_TRUE(example.states_licenses);
  EXPECT_EQ(example.solution, "@triton.jit\ndef k(): pass\nclass ModelNew: pass\nx = MySoftmaxNew\n");
}

TEST(ExampleFromRow, ReadsTheReportsForm) {
  const Row row{
      {{"pytorch_code", std::string("class A: pass")}, {"triton_code", std::string("import triton\n@triton.jit")}}};
  const auto made = example_from_row(row);
  ASSERT_TRUE(std::holds_alternative<Example>(made));
  EXPECT_EQ(std::get<Example>(made).source, "pairs");
  EXPECT_EQ(std::get<Example>(made).id.size(), std::string("pairs/0123456789abcdef").size());
  EXPECT_FALSE(std::get<Example>(made).states_licenses);
}

TEST(ExampleFromRow, ReadsKernelBench) {
  const Row row{{{"code", std::string("class Model: pass")},
                 {"level", std::int64_t{2}},
                 {"problem_id", std::int64_t{80}},
                 {"name", std::string("80_Gemm_Max_Subtract_GELU")}}};
  const auto made = example_from_row(row);
  ASSERT_TRUE(std::holds_alternative<Example>(made));
  const Example& example = std::get<Example>(made);
  EXPECT_EQ(example.id, "kernelbench/level2/80_Gemm_Max_Subtract_GELU");
  EXPECT_EQ(example.own_level, 2);
  EXPECT_FALSE(example.degenerate.empty());
  EXPECT_TRUE(example.solution.empty());
  EXPECT_TRUE(example.no_solution.empty());
}

TEST(ExampleFromRow, SaysWhyARowIsNone) {
  const auto reason = [](const Row& row) { return std::get<RowProblem>(example_from_row(row)).reason; };
  EXPECT_EQ(reason({}), "missing_column");
  EXPECT_EQ(reason({{{"python_code", std::monostate()}}}), "null_code");
  EXPECT_EQ(reason({{{"python_code", std::string(" \n")}}}), "empty_code");
  EXPECT_EQ(reason({{{"python_code", std::int64_t{3}}}}), "wrong_type");
}

TEST(ExampleFromRow, KeepsATaskWhoseSolutionIsMissing) {
  Row row = kernelbook();
  row.fields.erase("triton_code");
  EXPECT_EQ(std::get<Example>(example_from_row(row)).no_solution, "it has no column triton_code");
  row.fields["triton_code"] = std::monostate();
  EXPECT_EQ(std::get<Example>(example_from_row(row)).no_solution, "its triton_code is empty");
  row.fields["triton_code"] = std::string("x = 1");
  EXPECT_EQ(std::get<Example>(example_from_row(row)).no_solution, "its triton_code has no Triton kernel");
}

TEST(ExampleFromRow, TakesWhatOtherFormsOfTheColumnsSay) {
  Row row = kernelbook();
  row.fields["licenses"] = std::string("['MIT', 'Apache-2.0']");
  row.fields.erase("repo_name");
  row.fields["repo_link"] = std::string("https://host.org/some/project/tree/abc");
  row.fields["uuid"] = std::string("ab-1");
  const Example example = std::get<Example>(example_from_row(row));
  EXPECT_EQ(example.licenses, (std::vector<std::string>{"MIT", "Apache-2.0"}));
  EXPECT_EQ(example.repository, "some/project");
  EXPECT_EQ(example.id, "kernelbook/ab-1");
  row.fields["licenses"] = std::monostate();
  EXPECT_TRUE(std::get<Example>(example_from_row(row)).licenses.empty());
  EXPECT_TRUE(std::get<Example>(example_from_row(row)).states_licenses);
}

}  // namespace
}  // namespace tritonrl::data
