#include "abstract/difficulty.h"

#include <gtest/gtest.h>

#include "tests/abstract/read_module.h"
#include "tests/program/build_program.h"

namespace tritonrl::abstract {
namespace {

struct Case {
  const char* name;
  const char* constructor;
  const char* forward;
  int level;
};

std::ostream& operator<<(std::ostream& out, const Case& example) {
  return out << example.name;
}

class Levels : public testing::TestWithParam<Case> {};

TEST_P(Levels, AreTold) {
  const std::string source = model(GetParam().constructor, GetParam().forward);
  const ForwardOperators forward = read_module(source);
  const Difficulty difficulty = difficulty_of(forward, source);
  EXPECT_EQ(difficulty.level, GetParam().level) << computing(forward);
  EXPECT_FALSE(difficulty.from_program);
  EXPECT_FALSE(difficulty.why.empty());
}

const Case kCases[] = {
    {"product", "", "return torch.matmul(x, x)", 1},
    {"activation", "self.a = nn.ReLU()", "return self.a(x)", 1},
    {"activation_in_pieces", "", "return 0.5 * x * (1.0 + torch.tanh(0.8 * (x + 0.04 * torch.pow(x, 3.0))))", 1},
    {"norm_in_pieces", "", "return x / torch.sqrt(torch.mean(x ** 2, dim=1, keepdim=True) + 1e-5)", 1},
    {"loss", "", "return torch.mean(torch.clamp(1 - x * y, min=0))", 1},
    {"triangular_product", "", "return torch.triu(x @ x)", 1},
    {"separable_convolution", "self.a = nn.Conv2d(8, 8, 3, groups=8)\nself.b = nn.Conv2d(8, 8, 1)",
     "return self.b(self.a(x))", 1},
    {"conv_bn_relu", "self.a = nn.Conv2d(8, 8, 3)\nself.b = nn.BatchNorm2d(8)", "return F.relu(self.b(self.a(x)))", 2},
    {"linear_and_scale", "self.a = nn.Linear(8, 8)", "return self.a(x) * 2", 2},
    {"two_linears", "self.a = nn.Linear(8, 8)\nself.b = nn.Linear(8, 8)", "return self.b(F.relu(self.a(x)))", 2},
    {"softmax_and_scan", "", "return torch.cumsum(x.softmax(-1), 1)", 2},
    {"three_linears", "self.s = nn.Sequential(*[nn.Linear(8, 8) for _ in range(n)])", "return self.s(x)", 3},
    {"recurrent", "self.r = nn.GRU(8, 8)", "return self.r(x)[0]", 3},
    {"attention_block", "self.a = nn.MultiheadAttention(8, 2)", "return self.a(x, x, x)[0]", 3},
    {"heavy_in_a_loop", "self.a = nn.Linear(8, 8)", "for t in range(x.size(0)):\n    x = self.a(x)\nreturn x", 3},
    {"whole_network", "import torchvision\nself.r = torchvision.models.resnet50()", "return self.r(x)", 3},
    {"model_of_a_library", "from transformers import AutoModel\nself.m = AutoModel.from_pretrained('name')",
     "return self.m(x)", 3},
    {"layers_of_a_library", "import others\nself.a = others.ConvBlock(8, 8)\nself.b = others.Projection(8, 8)",
     "return F.relu(self.b(self.a(x)))", 2},
    {"function_of_a_library", "", "import others\nreturn others.squash(x)", 1},
    {"nothing", "", "return x", 1},
};
INSTANTIATE_TEST_SUITE_P(Modules, Levels, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Difficulty, SaysWhy) {
  const std::string source = "# A fused block.\n" + model("self.a = nn.Conv2d(8, 8, 3)\nself.b = nn.BatchNorm2d(8)",
                                                          "return F.relu(self.b(self.a(x)))");
  EXPECT_EQ(difficulty_of(read_module(source), source).why,
            (std::vector<std::string>{"heavy: conv2d", "light: batch_norm, relu", "several operations: 3",
                                      "a chain: conv2d, batch_norm, relu", "the text says \"fused\"",
                                      "more than 50 tokens", "a fusion around heavy calls: 3 calls"}));
}

TEST(Difficulty, ByTheWordsWhereNoOperatorIsFound) {
  const ForwardOperators nothing;
  EXPECT_EQ(difficulty_of(nothing, "combined add and norm").level, 2);
  EXPECT_EQ(difficulty_of(nothing, "add").level, 1);
  EXPECT_EQ(difficulty_of(nothing, "add").why, (std::vector<std::string>{"no operator was found"}));
}

TEST(Difficulty, OfAProgram) {
  program::BuildProgram b;
  const program::Value x = b.tensor({128, 512});
  b.call("aten::relu", {x}, b.tensor({128, 512}));
  const Difficulty difficulty = difficulty_of(b.program);
  EXPECT_EQ(difficulty.level, 1);
  EXPECT_TRUE(difficulty.from_program);
  EXPECT_EQ(difficulty.why, (std::vector<std::string>{"light: relu", "one operator in 1 call"}));
}

}  // namespace
}  // namespace tritonrl::abstract
