#include "program/work.h"

#include <gtest/gtest.h>

#include "tests/program/build_program.h"

namespace tritonrl::program {
namespace {

constexpr double kElements = 1000;

PassWork work_of_unary(const std::string& op, WorkKind kind) {
  BuildProgram b;
  const Value x = b.tensor({1000}), y = b.tensor({1000});
  return work_of(b.program, b.call(op, {x}, y))[static_cast<std::size_t>(kind)];
}

TEST(Work, ASpecialFunctionIsOnePass) {
  EXPECT_EQ(work_of_unary("aten::exp", WorkKind::kSpecial).each, kElements);
  EXPECT_EQ(work_of_unary("aten::exp", WorkKind::kPointwise).each, 0);
  EXPECT_EQ(work_of_unary("aten::exp", WorkKind::kPointwise).hidden, 0);
}

TEST(Work, AFusedOperatorHidesThePassesOfItsFormula) {
  EXPECT_EQ(work_of_unary("aten::relu", WorkKind::kPointwise).hidden, 0);
  EXPECT_EQ(work_of_unary("aten::sigmoid", WorkKind::kPointwise).hidden, 3 * kElements);
  EXPECT_EQ(work_of_unary("aten::tanh", WorkKind::kPointwise).hidden, 3 * kElements);
  EXPECT_EQ(work_of_unary("aten::silu", WorkKind::kPointwise).hidden, 4 * kElements);
  EXPECT_GE(work_of_unary("aten::mish", WorkKind::kSpecial).hidden, 1 * kElements);
}

TEST(Work, ACubeIsNoSpecialFunction) {
  BuildProgram b;
  const Value x = b.tensor({1000}), y = b.tensor({1000});
  for (const Value& exponent : {number(std::int64_t{3}), number(3.0)}) {
    const Work work = work_of(b.program, b.call("aten::pow.Tensor_Scalar", {x, exponent}, y));
    EXPECT_EQ(work[static_cast<std::size_t>(WorkKind::kSpecial)].each, 0);
    EXPECT_EQ(work[static_cast<std::size_t>(WorkKind::kPointwise)].each, kElements);
  }
}

TEST(Work, ProductsAndPlainArithmeticHideNothing) {
  BuildProgram b;
  const Value x = b.tensor({32, 32}), y = b.tensor({32, 32}), z = b.tensor({32, 32});
  for (const char* op : {"aten::mm", "aten::add.Tensor", "aten::mul.Tensor", "aten::div.Tensor", "aten::maximum"}) {
    for (const PassWork& one : work_of(b.program, b.call(op, {x, y}, z))) EXPECT_EQ(one.hidden, 0) << op;
  }
}

TEST(Work, TheGradientOfAResamplingAdds) {
  BuildProgram b;
  const Value x = b.tensor({1, 4, 100}), y = b.tensor({1, 4, 1});
  const Value sizes = list({number(std::int64_t{100})});
  const Work work = work_of(b.program, b.call("aten::upsample_nearest1d_backward", {x, sizes, sizes}, y));
  EXPECT_EQ(work[static_cast<std::size_t>(WorkKind::kReduced)].each, 400);
  EXPECT_EQ(work[static_cast<std::size_t>(WorkKind::kMoved)].each, 0);
}

}  // namespace
}  // namespace tritonrl::program
