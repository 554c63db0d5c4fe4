#include "program/difference.h"

#include <gtest/gtest.h>

#include "tests/program/build_program.h"

namespace tritonrl::program {
namespace {

struct Net : BuildProgram {
  Value x = tensor({1024, 1024}), w = tensor({1024, 1024});
  Value fresh() { return tensor({1024, 1024}); }
};

TEST(Difference, OfAProgramAndItself) {
  Net net;
  net.call("aten::mm", {net.x, net.w}, net.fresh());
  net.call("aten::relu", {net.x}, net.fresh());
  const Difference difference = difference_of(net.program, net.program, find_target("h200"));
  EXPECT_TRUE(difference.replaced.empty());
  EXPECT_TRUE(difference.added.empty());
  EXPECT_EQ(difference.kept.size(), 2u);
  EXPECT_EQ(difference.share_replaced(), 0);
  EXPECT_DOUBLE_EQ(difference.reference_seconds, difference.candidate_seconds);
}

TEST(Difference, ReplacedKeptAddedAndLaunched) {
  Net reference;
  const Value y = reference.fresh();
  reference.call("aten::mm", {reference.x, reference.w}, y);
  reference.call("aten::relu", {y}, reference.fresh());
  reference.call("aten::relu", {y}, reference.fresh());
  reference.call("aten::sum.dim_IntList", {y, integers({1})}, reference.tensor({1024}));

  Net candidate;
  const Value z = candidate.fresh();
  candidate.call("aten::mm", {candidate.x, candidate.w}, z);
  candidate.call("aten::relu_", {z}, z);
  candidate.call("aten::empty_like", {z}, candidate.fresh());
  candidate.call("aten::exp", {z}, candidate.fresh());
  candidate.launch("fused", {z});
  candidate.launch("fused", {z});
  candidate.launch("reduce", {z});

  const Target& target = find_target("h200");
  const Difference difference = difference_of(reference.program, candidate.program, target);
  ASSERT_EQ(difference.replaced.size(), 2u);
  EXPECT_EQ(difference.replaced[0].op, "relu");
  EXPECT_EQ(difference.replaced[0].operands, "float32[1024, 1024]");
  EXPECT_EQ(difference.replaced[0].calls, 1) << "one of the two is kept, in place or not";
  EXPECT_EQ(difference.replaced[1].op, "sum");
  ASSERT_EQ(difference.kept.size(), 2u);
  EXPECT_EQ(difference.kept[0].operands, "float32[1024, 1024], float32[1024, 1024]");
  EXPECT_EQ(difference.kept[1].calls, 1);
  ASSERT_EQ(difference.added.size(), 1u);
  EXPECT_EQ(difference.added[0].op, "exp");
  ASSERT_EQ(difference.kernels.size(), 2u);
  EXPECT_EQ(difference.kernels[0].name, "fused");
  EXPECT_EQ(difference.kernels[0].launches, 2);

  const double mm = target.launch_overhead + 2.0 * 1024 * 1024 * 1024 / (67e12 * 788 / 989);
  const double relu = target.launch_overhead + 2.0 * 1024 * 1024 * 4 / 4.3e12;
  const double sum = target.launch_overhead + 4.0 * (1024 * 1024 + 1024) / 4.3e12;
  EXPECT_NEAR(difference.reference_seconds, mm + 2 * relu + sum, 1e-9);
  EXPECT_NEAR(difference.candidate_seconds, mm + 2 * relu, 1e-9);
  EXPECT_NEAR(difference.replaced_seconds, relu + sum, 1e-9);
  EXPECT_NEAR(difference.share_replaced(), (relu + sum) / (mm + 2 * relu + sum), 1e-6);
}

TEST(Difference, ShapesAndTypesTellCallsApart) {
  Net reference, candidate;
  reference.call("aten::relu", {reference.x}, reference.fresh());
  const Value half = candidate.tensor({1024, 1024}, DType::kFloat16);
  candidate.call("aten::relu", {half}, candidate.tensor({1024, 1024}, DType::kFloat16));
  const Difference difference = difference_of(reference.program, candidate.program, find_target("a100"));
  EXPECT_EQ(difference.kept.size(), 0u);
  EXPECT_EQ(difference.share_replaced(), 1);
  ASSERT_EQ(difference.added.size(), 1u);
  EXPECT_EQ(difference.added[0].operands, "float16[1024, 1024]");
}

TEST(Difference, AnEmptyReferenceHasNothingToReplace) {
  Net reference, candidate;
  candidate.call("aten::relu", {candidate.x}, candidate.fresh());
  EXPECT_EQ(difference_of(reference.program, candidate.program, find_target("h100")).share_replaced(), 0);
}

}  // namespace
}  // namespace tritonrl::program
