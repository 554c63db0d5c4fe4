#include "program/level.h"

#include <gtest/gtest.h>

#include "tests/program/build_program.h"

namespace tritonrl::program {
namespace {

struct Net : BuildProgram {
  Value x = tensor({128, 512});

  Net& linear() {
    call("aten::addmm", {tensor({512}), x, tensor({512, 512})}, x = tensor({128, 512}));
    return *this;
  }
  Net& light(const std::string& op, int times = 1) {
    for (int i = 0; i < times; ++i) {
      const Value y = tensor({128, 512});
      call(op, {x}, y);
      x = y;
    }
    return *this;
  }
  int level() const { return level_of(program).level; }
};

TEST(Level, OneOperator) {
  EXPECT_EQ(Net().linear().level(), 1);
  EXPECT_EQ(Net().light("aten::relu").level(), 1);
  EXPECT_EQ(Net().light("aten::tanh", 8).level(), 1) << "an activation in pieces";
  EXPECT_EQ(Net().linear().light("aten::triu").level(), 1) << "a triangular product";
  EXPECT_EQ(Net().level(), 1);
}

TEST(Level, ShortFusions) {
  EXPECT_EQ(Net().linear().light("aten::relu").level(), 2);
  EXPECT_EQ(Net().linear().light("aten::relu", 11).level(), 2);
  EXPECT_EQ(Net().linear().light("aten::relu").linear().level(), 2);
  EXPECT_EQ(Net().light("aten::tanh", 11).level(), 2);
}

TEST(Level, Architectures) {
  EXPECT_EQ(Net().linear().light("aten::relu").linear().light("aten::relu").linear().level(), 3);
  EXPECT_EQ(Net().linear().light("aten::relu", 12).level(), 3);
  EXPECT_EQ(Net().light("aten::tanh", 31).level(), 3);
}

TEST(Level, StructuredOperatorsAddUp) {
  Net net;
  const Value y = net.tensor({128, 512});
  net.call("aten::_softmax", {net.x, number(std::int64_t{1}), flag(false)}, y);
  EXPECT_EQ(net.level(), 1);
  net.call("aten::cumsum", {y, number(std::int64_t{1})}, net.tensor({128, 512}));
  EXPECT_EQ(net.level(), 2);
}

TEST(Level, ASeparableConvolutionIsOneOperator) {
  LevelCounts counts;
  counts.add("conv2d", OperatorKind::kConvolution, 1, 2);
  EXPECT_EQ(level_of(counts).level, 1);
  counts.add("relu", OperatorKind::kPointwise, 0);
  EXPECT_EQ(level_of(counts).level, 2);
  LevelCounts products;
  products.add("linear", OperatorKind::kMatmul, 1, 2);
  EXPECT_EQ(level_of(products).level, 2);
}

TEST(Level, TwoHeavyLayersAmongStructuredOperatorsAreAnArchitecture) {
  LevelCounts counts;
  counts.add("matmul", OperatorKind::kMatmul, 1, 2);
  counts.add("softmax", OperatorKind::kSoftmax, 0);
  counts.add("batch_norm", OperatorKind::kNormalise, 0);
  EXPECT_EQ(level_of(counts).level, 2);
  counts.add("max_pool2d", OperatorKind::kPool, 0);
  EXPECT_EQ(level_of(counts).level, 3);
  EXPECT_EQ(level_of(counts).why,
            (std::vector<std::string>{"heavy: matmul", "light: softmax, batch_norm, max_pool2d",
                                      "an architecture: two heavy layers among 3 structured operators"}));
}

TEST(Level, CrossEntropyIsOneOperator) {
  Net net;
  const Value y = net.tensor({128, 512}), target = net.tensor({128}, DType::kInt64);
  net.call("aten::_log_softmax", {net.x, number(std::int64_t{1}), flag(false)}, y);
  net.call("aten::nll_loss_forward", {y, target, none(), number(std::int64_t{1}), number(std::int64_t{-100})},
           list({net.tensor({}), net.tensor({})}));
  EXPECT_EQ(net.level(), 1);
}

TEST(Level, BookkeepingViewsAndCopiesDoNotCount) {
  Net net;
  net.linear();
  const Value counter = net.tensor({}, DType::kInt64);
  net.call("aten::add_.Tensor", {counter, number(std::int64_t{1})}, counter);
  net.call("aten::view", {net.x, integers({65536})}, net.view(net.x, {65536}, {1}));
  net.call("aten::clone", {net.x}, net.tensor({128, 512}));
  EXPECT_EQ(net.level(), 1);
  EXPECT_EQ(operators_of(net.program),
            (std::vector<OperatorCount>{{"aten::addmm", OperatorKind::kMatmul, 1, true},
                                        {"aten::add_.Tensor", OperatorKind::kPointwise, 1, false}}));
}

TEST(Level, ARecurrentLayerIsAnArchitecture) {
  BuildProgram b;
  b.call("aten::gru.input",
         {b.tensor({7, 3, 8}), b.tensor({1, 3, 8}), list({b.tensor({24, 8}), b.tensor({24, 8})}), flag(false),
          number(std::int64_t{1}), number(0.0), flag(false), flag(false), flag(false)},
         list({b.tensor({7, 3, 8}), b.tensor({1, 3, 8})}));
  const LevelEstimate estimate = level_of(b.program);
  EXPECT_EQ(estimate.level, 3);
  ASSERT_EQ(estimate.why.size(), 2u);
  EXPECT_EQ(estimate.why[0], "heavy: gru");
}

}  // namespace
}  // namespace tritonrl::program
