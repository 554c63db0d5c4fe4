#include "optimize/input_spec.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonrl::optimize {
namespace {

std::string text_of(const std::vector<std::string>& inputs, const Sizes& sizes = {}) {
  const std::string text = inputs_text(parse_inputs(inputs), sizes);
  const std::string begin = "def get_inputs():\n    return ";
  EXPECT_TRUE(text.starts_with(begin)) << text;
  return text.substr(begin.size(), text.size() - begin.size() - 1);
}

TEST(InputSpec, IsWrittenAsPython) {
  struct Case {
    std::vector<std::string> inputs;
    std::string text;
  };
  const Case cases[] = {
      {{"f32[8,1024]"}, "[torch.rand([8, 1024])]"},
      {{" f32 [ 8 , 1024 ] "}, "[torch.rand([8, 1024])]"},
      {{"f32[]"}, "[torch.rand([])]"},
      {{"float64[3]"}, "[torch.rand([3], dtype=torch.float64)]"},
      {{"bool[2,3]"}, "[torch.rand([2, 3]) > 0.5]"},
      {{"i64[4,16]<1000"}, "[torch.randint(0, 1000, [4, 16])]"},
      {{"i32[4]<7"}, "[torch.randint(0, 7, [4], dtype=torch.int32)]"},
      {{"i64[4,16]"}, "[torch.randint(0, 10, [4, 16])]"},
      // labels are of as many classes as there are
      {{"f32[8,1000]", "i64[8]"}, "[torch.rand([8, 1000]), torch.randint(0, 1000, [8])]"},
      {{"f32[2,21,64,64]", "i64[2,64,64]"}, "[torch.rand([2, 21, 64, 64]), torch.randint(0, 21, [2, 64, 64])]"},
      {{"f32[8,300]", "i8[8]"}, "[torch.rand([8, 300]), torch.randint(0, 127, [8], dtype=torch.int8)]"},
      {{"3", "0.5", "-1e-5", "True", "false", "None"}, "[3, 0.5, -1e-5, True, False, None]"},
      {{"=torch.eye(4)"}, "[torch.eye(4)]"},
      // one 16-bit type: the judge casts inputs and parameters
      {{"bf16[8]", "i64[3]<5"}, "[torch.rand([8]), torch.randint(0, 5, [3])]"},
      {{"bf16[8]", "f32[8]"}, "[torch.rand([8], dtype=torch.bfloat16), torch.rand([8])]"},
  };
  for (const Case& each : cases) EXPECT_EQ(text_of(each.inputs), each.text);
}

TEST(InputSpec, HasOnePrecisionWhereAllFloatsHaveIt) {
  const auto precision = [](const std::vector<std::string>& inputs) { return common_precision(parse_inputs(inputs)); };
  EXPECT_EQ(precision({"bf16[8]", "i64[3]"}), "bf16");
  EXPECT_EQ(precision({"f16[8]", "f16[2]"}), "fp16");
  EXPECT_EQ(precision({"bf16[8]", "f32[8]"}), "");
  EXPECT_EQ(precision({"f32[8]"}), "");
  EXPECT_EQ(precision({}), "");
}

TEST(InputSpec, RangesOfOneNameAreOneSize) {
  const std::vector<InputSpec> inputs =
      parse_inputs(std::vector<std::string>{"f32[1..64,T=8..16,4]", "f32[1..64,T]", "f32[1..32,5..5]", "f32[N=3]"});
  EXPECT_EQ(ranges_of(inputs), (std::vector<Range>{{"1..64", 1, 64}, {"T", 8, 16}, {"1..32", 1, 32}}));
  EXPECT_EQ(text_of({"f32[1..64,T=8..16,4]", "f32[1..64,T]"}, {{"1..64", 7}, {"T", 9}}),
            "[torch.rand([7, 9, 4]), torch.rand([7, 9])]");
  // without sizes the largest hold
  EXPECT_EQ(text_of({"f32[1..64,N=3]", "f32[N]"}), "[torch.rand([64, 3]), torch.rand([3])]");
}

TEST(InputSpec, SaysWhatIsWrongAndHowItIsWritten) {
  struct Case {
    std::vector<std::string> inputs;
    std::string problem;
  };
  const Case cases[] = {
      {{"f32[8,"}, "'f32[8,': is no input; write TYPE[SIZE,...]"},
      {{"float[8]"}, "'float' is no type of tensors"},
      {{"f32[8,]"}, "'' is no size"},
      {{"f32[8,-1]"}, "the size -1 is not between 1 and"},
      {{"f32[0]"}, "the size 0 is not between 1 and"},
      {{"f32[99999999999999999999]"}, "is no size"},
      {{"f32[8..2]"}, "the range 8..2 ends before it begins"},
      {{"f32[B]"}, "nothing says what the range B is; write B=1..64"},
      {{"f32[B=1..4]", "f32[B=1..5]"}, "'f32[B=1..5]': the range B has other bounds"},
      {{"f32[9x=1..4]"}, "'9x' is no name of a range"},
      {{"f32[8]<3"}, "only whole numbers have a bound"},
      {{"i64[8]<0"}, "is no bound; write <1000"},
      {{"i64[8] x"}, "is no bound"},
      {{"inf"}, "is no input"},
      {{"="}, "there is no expression"},
      {{"=torch.eye("}, "is no expression of Python"},
      {{"=1, 2"}, "is no expression of Python"},
      {{"=1); import os; f(2"}, "is no expression of Python"},
      {{""}, "is no input"},
  };
  for (const Case& each : cases) {
    try {
      parse_inputs(each.inputs);
      ADD_FAILURE() << each.inputs.back() << " is taken";
    } catch (const base::UserError& error) {
      EXPECT_NE(std::string(error.what()).find(each.problem), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace tritonrl::optimize
