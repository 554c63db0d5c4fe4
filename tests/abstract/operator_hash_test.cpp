#include <gtest/gtest.h>

#include "tests/abstract/read_module.h"
#include "tests/program/build_program.h"

namespace tritonrl::abstract {
namespace {

std::string hash(const char* constructor, const char* forward) {
  return operator_hash(read_module(model(constructor, forward)));
}

TEST(OperatorHash, IsOfTheSequenceAlone) {
  const std::string plain = hash("self.a = nn.Linear(8, 8)", "return torch.relu(self.a(x))");
  EXPECT_EQ(plain.size(), 32u);
  EXPECT_EQ(plain.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(plain, hash("self.layer = nn.Linear(16, 4, bias=False)\nself.act = nn.ReLU(inplace=True)",
                        "h = self.layer(x.view(-1, 16))\nreturn self.act(h).contiguous()"));
  EXPECT_NE(plain, hash("self.a = nn.Linear(8, 8)", "return self.a(torch.relu(x))"));
  EXPECT_NE(plain, hash("self.a = nn.Linear(8, 8)", "return torch.tanh(self.a(x))"));
  EXPECT_NE(plain, hash("self.a = nn.Linear(8, 8)", "return torch.relu(torch.relu(self.a(x)))"));
}

TEST(OperatorHash, OfNothingIsEmpty) {
  EXPECT_EQ(hash("", "return x.view(-1)"), "");
  EXPECT_EQ(operator_hash(ForwardOperators()), "");
  EXPECT_EQ(operator_hash(program::Program()), "");
}

TEST(OperatorHash, OfProgramsLeavesOutViewsAndPlaces) {
  const auto of = [](const char* op, bool view, std::int64_t width) {
    program::BuildProgram b;
    const program::Value x = b.tensor({4, width});
    if (view) b.call("aten::view", {x, program::integers({4 * width})}, b.view(x, {4 * width}, {1}));
    b.call(op, {x}, b.tensor({4, width}));
    return operator_hash(b.program);
  };
  EXPECT_EQ(of("aten::relu", false, 8), of("aten::relu_", true, 16));
  EXPECT_NE(of("aten::relu", false, 8), of("aten::tanh", false, 8));
}

}  // namespace
}  // namespace tritonrl::abstract
