#include <gtest/gtest.h>

#include "program/cost.h"
#include "tests/program/build_program.h"

namespace tritonrl::program {
namespace {

const Target& h200() {
  return find_target("h200");
}

// Microseconds of torch's own kernels for the call, and of a well-made kernel.
struct Times {
  double eager = 0, floor = 0;
};

Times times(const BuildProgram& b, const AtenCall& call) {
  return {.eager = 1e6 * eager_seconds(b.program, call, h200()),
          .floor = 1e6 * modelled_seconds(cost_of(b.program, call), h200())};
}

Value integer(std::int64_t value) {
  return number(value);
}

TEST(EagerTime, ContiguousPointwiseIsTheFloor) {
  BuildProgram b;
  const Value x = b.tensor({4096, 8192}), y = b.tensor({4096, 8192});
  const Times relu = times(b, b.call("aten::relu", {x}, y));
  EXPECT_DOUBLE_EQ(relu.eager, relu.floor);
  EXPECT_NEAR(relu.eager, 68.4, 5) << "measured on an H200";
}

TEST(EagerTime, ViewsCostNothingAndSmallCallsALaunch) {
  BuildProgram b;
  const Value x = b.tensor({64, 128});
  EXPECT_EQ(times(b, b.call("aten::t", {x}, b.view(x, {128, 64}, {1, 128}))).eager, 0);
  const Value small = b.tensor({4, 4});
  EXPECT_NEAR(times(b, b.call("aten::relu", {small}, b.tensor({4, 4}))).eager, 1.8, 0.01);
}

TEST(EagerTime, BroadcastAndStridedOperandsLeaveTheVectorisedPath) {
  BuildProgram b;
  const Value x = b.tensor({64, 128, 128, 128}), bias = b.tensor({128, 1, 1}), y = b.tensor({64, 128, 128, 128});
  const double broadcast = times(b, b.call("aten::add.Tensor", {x, bias}, y)).eager;
  const double plain = times(b, b.call("aten::relu", {x}, y)).eager;
  EXPECT_NEAR(broadcast + plain, 662, 70) << "measured on an H200";
  EXPECT_GT(broadcast, 1.4 * plain);
  const Value wide = b.tensor({8192, 8192});
  const Value half = b.view(wide, {8192, 4096}, {8192, 1});
  const Times cut = times(b, b.call("aten::relu", {half}, b.tensor({8192, 4096})));
  EXPECT_GT(cut.eager, 1.2 * cut.floor);
  // In another order of dimensions it is still one stretch of memory.
  const Times turned = times(b, b.call("aten::relu", {b.view(wide, {8192, 8192}, {1, 8192})}, b.tensor({8192, 8192})));
  EXPECT_DOUBLE_EQ(turned.eager, turned.floor);
}

TEST(EagerTime, ConversionsBetweenUnlikeTypesAreSlow) {
  BuildProgram b;
  const Value x = b.tensor({4096, 4096}), half = b.tensor({4096, 4096}, DType::kFloat16),
              small = b.tensor({4096, 4096}, DType::kInt8);
  const Times common = times(b, b.call("aten::_to_copy", {x}, half));
  EXPECT_DOUBLE_EQ(common.eager, common.floor);
  const Times widened = times(b, b.call("aten::_to_copy", {small}, x));
  EXPECT_GT(widened.eager, 1.5 * widened.floor);
}

TEST(EagerTime, NormsPassMoreThanOnce) {
  BuildProgram b;
  const Value x = b.tensor({64, 64, 128, 128}), w = b.tensor({64}), y = b.tensor({64, 64, 128, 128});
  const Value mean = b.tensor({64, 8}), rstd = b.tensor({64, 8});
  const double group =
      times(b, b.call("aten::native_group_norm",
                      {x, w, b.tensor({64}), integer(64), integer(64), integer(16384), integer(8), number(1e-5)},
                      list({y, mean, rstd})))
          .eager;
  EXPECT_NEAR(group, 331, 60) << "measured on an H200";
  const auto batch = [&](bool training) {
    return times(b, b.call("aten::batch_norm",
                           {x, w, b.tensor({64}), b.tensor({64}), b.tensor({64}), flag(training), number(0.1),
                            number(1e-5), flag(true)},
                           y))
        .eager;
  };
  EXPECT_GT(batch(true), 1.5 * batch(false));
}

TEST(EagerTime, FewLongRowsLeaveTheChipIdle) {
  BuildProgram b;
  const auto layer_norm = [&](std::int64_t rows, std::int64_t width) {
    const Value x = b.tensor({rows, width}), w = b.tensor({width});
    return times(b, b.call("aten::native_layer_norm", {x, integers({width}), w, b.tensor({width}), number(1e-5)},
                           list({b.tensor({rows, width}), b.tensor({rows, 1}), b.tensor({rows, 1})})))
        .eager;
  };
  EXPECT_NEAR(layer_norm(16, 1 << 20), 2095, 500) << "measured on an H200";
  EXPECT_GT(layer_norm(16, 1 << 20), 20 * layer_norm(16384, 1024));
  EXPECT_NEAR(layer_norm(16384, 512), 41.3 - 1.8, 8) << "measured on an H200: bound by the rows, not by their bytes";
}

TEST(EagerTime, ReductionsAndSoftmaxAlongAnotherDimensionAreSlower) {
  BuildProgram b;
  const Value x = b.tensor({2048, 2048});
  const auto sum = [&](std::int64_t dim) {
    return times(b, b.call("aten::sum.dim_IntList", {x, integers({dim})}, b.tensor({2048}))).eager;
  };
  const auto softmax = [&](std::int64_t dim) {
    return times(b, b.call("aten::_softmax", {x, integer(dim), flag(false)}, b.tensor({2048, 2048}))).eager;
  };
  EXPECT_GT(sum(0), 1.3 * sum(1));
  EXPECT_DOUBLE_EQ(sum(1), sum(-1));
  EXPECT_GT(softmax(0), 2 * softmax(-1));
  EXPECT_DOUBLE_EQ(softmax(1), softmax(-1));
}

TEST(EagerTime, SmallProductsReachLess) {
  BuildProgram b;
  const auto rate = [&](std::int64_t m, std::int64_t k, std::int64_t n) {
    const double ops = 2.0 * static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n);
    return ops / times(b, b.call("aten::mm", {b.tensor({m, k}), b.tensor({k, n})}, b.tensor({m, n}))).eager / 1e6;
  };
  EXPECT_NEAR(rate(2048, 8192, 4096), 51.7, 3) << "TFLOP/s measured on an H200";
  EXPECT_NEAR(rate(2048, 1024, 512), 41, 5) << "TFLOP/s measured on an H200";
  EXPECT_LT(rate(8192, 64, 8192), 0.7 * rate(8192, 1024, 8192));
}

TEST(EagerTime, ConvolutionsDependOnTheirChannels) {
  BuildProgram b;
  const auto convolution = [&](std::int64_t in, std::int64_t groups) {
    return times(b, b.call("aten::convolution",
                           {b.tensor({64, in, 64, 64}), b.tensor({64, in / groups, 3, 3}), none(), integers({1, 1}),
                            integers({1, 1}), integers({1, 1}), flag(false), integers({0, 0}), integer(groups)},
                           b.tensor({64, 64, 64, 64})))
        .eager;
  };
  // An eighth of the channels is an eighth of the work, but not of the time.
  EXPECT_GT(convolution(8, 1), 0.5 * convolution(64, 1));
  EXPECT_GT(convolution(64, 64), 0.5 * convolution(64, 1)) << "depthwise: no matrix units";
}

TEST(EagerTime, SortsScansAndLossesAreFarFromTheFloor) {
  BuildProgram b;
  const Value x = b.tensor({65536, 60});
  const Times topk = times(b, b.call("aten::topk", {x, integer(2), integer(-1), flag(true), flag(true)},
                                     list({b.tensor({65536, 2}), b.tensor({65536, 2}, DType::kInt64)})));
  EXPECT_NEAR(topk.eager, 275, 40) << "measured on an H200";
  const Value rows = b.tensor({4096, 4096});
  const Times cumsum = times(b, b.call("aten::cumsum", {rows, integer(1)}, b.tensor({4096, 4096})));
  EXPECT_NEAR(cumsum.eager, 192, 40) << "measured on an H200";
  const Times loss =
      times(b, b.call("aten::nll_loss_forward",
                      {b.tensor({4096, 32000}), b.tensor({4096}, DType::kInt64), none(), integer(1), integer(-100)},
                      list({b.tensor({}), b.tensor({})})));
  EXPECT_NEAR(loss.eager, 12, 4);
}

TEST(EagerTime, NoFasterThanAWellMadeKernel) {
  BuildProgram b;
  const Value x = b.tensor({1024, 1024}), y = b.tensor({1024, 1024});
  for (const AtenCall& call :
       {b.call("aten::relu", {x}, y), b.call("aten::mm", {x, x}, y), b.call("aten::cumsum", {x, integer(0)}, y),
        b.call("aten::sum.dim_IntList", {x, integers({1})}, b.tensor({1024})),
        b.call("aten::_softmax", {x, integer(1), flag(false)}, y),
        b.call("aten::mul.Tensor", {x, b.tensor({1024})}, y)}) {
    const Times both = times(b, call);
    EXPECT_GE(both.eager, 0.999 * both.floor) << call.op;
  }
}

}  // namespace
}  // namespace tritonrl::program
