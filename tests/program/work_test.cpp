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

double each(const Work& work, WorkKind kind) {
  return work[static_cast<std::size_t>(kind)].each;
}

// Sums under other names.
TEST(Work, AccumulatingWritesReduce) {
  BuildProgram b;
  const Value to = b.tensor({10}), from = b.tensor({1000}), places = b.tensor({1000}, DType::kInt64);
  const auto reduced = [&](const AtenCall& call) {
    const Work work = work_of(b.program, call);
    EXPECT_EQ(each(work, WorkKind::kMoved), 0) << call.op;
    return each(work, WorkKind::kReduced);
  };
  const Value zero = number(std::int64_t{0}), ten = number(std::int64_t{10}), no_padding = number(std::int64_t{-1});
  EXPECT_EQ(reduced(b.call("aten::index_put_", {to, list({places}), from, flag(true)}, to)), 1000);
  EXPECT_EQ(reduced(b.call("aten::index_add_", {to, zero, places, from}, to)), 1000);
  EXPECT_EQ(reduced(b.call("aten::scatter_.reduce", {to, zero, places, from}, to, {{"reduce", {std::string("add")}}})),
            1000);
  EXPECT_EQ(reduced(b.call("aten::embedding_dense_backward", {from, places, ten, no_padding, flag(false)}, to)), 1000);
  EXPECT_EQ(reduced(b.call("aten::bincount", {places, from}, to)), 1000);
  const Value row = b.tensor({1, 1, 1000}), one = b.tensor({1, 1, 1});
  EXPECT_EQ(reduced(b.call("aten::replication_pad1d_backward", {row, one, integers({0, 999})}, one)), 1000);
}

TEST(Work, WritesThatDoNotAddMove) {
  BuildProgram b;
  const Value to = b.tensor({1000}), from = b.tensor({10}), places = b.tensor({10}, DType::kInt64);
  const Work work = work_of(b.program, b.call("aten::index_put_", {to, list({places}), from}, to));
  EXPECT_EQ(each(work, WorkKind::kMoved), 1000);
  EXPECT_EQ(each(work, WorkKind::kReduced), 0);
}

TEST(Work, ANumberWrittenByFlagsIsAChoice) {
  BuildProgram b;
  const Value to = b.tensor({1000}), zero = b.tensor({}), flags = b.tensor({1000}, DType::kBool);
  const Work work = work_of(b.program, b.call("aten::index_put_", {to, list({flags}), zero}, to));
  EXPECT_EQ(each(work, WorkKind::kPointwise), 1000);
  EXPECT_EQ(each(work, WorkKind::kMoved), 0);
}

TEST(Work, CastsThatChangeValuesAreArithmetic) {
  const auto pointwise = [](DType from, DType to) {
    BuildProgram b;
    const Value x = b.tensor({1000}, from), y = b.tensor({1000}, to);
    const Work work = work_of(b.program, b.call("aten::_to_copy", {x}, y));
    EXPECT_EQ(each(work, WorkKind::kPointwise) + each(work, WorkKind::kMoved), kElements);
    return each(work, WorkKind::kPointwise) > 0;
  };
  EXPECT_TRUE(pointwise(DType::kFloat32, DType::kInt32));
  EXPECT_TRUE(pointwise(DType::kFloat32, DType::kBool));
  EXPECT_TRUE(pointwise(DType::kInt64, DType::kInt8));
  EXPECT_FALSE(pointwise(DType::kFloat32, DType::kFloat16));
  EXPECT_FALSE(pointwise(DType::kInt32, DType::kInt64));
  EXPECT_FALSE(pointwise(DType::kBool, DType::kFloat32));
}

TEST(Work, AComplexProductIsSixOperations) {
  BuildProgram b;
  const Value x = b.tensor({1000}, DType::kComplex64), y = b.tensor({1000}, DType::kComplex64);
  const Work product = work_of(b.program, b.call("aten::mul.Tensor", {x, x}, y));
  EXPECT_EQ(product[static_cast<std::size_t>(WorkKind::kPointwise)].passes, 6);
  EXPECT_EQ(each(product, WorkKind::kPointwise), kElements);
  const Work sum = work_of(b.program, b.call("aten::add.Tensor", {x, x}, y));
  EXPECT_EQ(sum[static_cast<std::size_t>(WorkKind::kPointwise)].passes, 2);
  const Work power = work_of(b.program, b.call("aten::exp", {x}, y));
  EXPECT_EQ(power[static_cast<std::size_t>(WorkKind::kSpecial)].passes, 3);
}

TEST(Work, ASolverAppliesEachCoefficientToEachColumn) {
  BuildProgram b;
  const Value matrix = b.tensor({4, 100, 100}), right = b.tensor({4, 100, 1}), out = b.tensor({4, 100, 1});
  const double applied = 2.0 * 4 * 100 * 100;
  const auto ops = [&](const AtenCall& call) { return each(work_of(b.program, call), WorkKind::kContraction); };
  EXPECT_EQ(ops(b.call("aten::linalg_solve_triangular", {matrix, right}, out, {{"upper", flag(false)}})), applied);
  EXPECT_EQ(ops(b.call("aten::cholesky_solve", {right, matrix}, out)), applied);
  EXPECT_EQ(ops(b.call("aten::triangular_solve", {right, matrix}, list({out, matrix}))), applied);
  EXPECT_GT(ops(b.call("aten::linalg_solve", {matrix, right}, out)), 10 * applied);
}

TEST(Work, AFillWithATensorMovesIt) {
  BuildProgram b;
  const Value x = b.tensor({1000}), one = b.tensor({});
  EXPECT_EQ(each(work_of(b.program, b.call("aten::fill_.Tensor", {x, one}, x)), WorkKind::kMoved), kElements);
  EXPECT_EQ(each(work_of(b.program, b.call("aten::fill_.Scalar", {x, number(1.0)}, x)), WorkKind::kMoved), 0);
}

}  // namespace
}  // namespace tritonrl::program
