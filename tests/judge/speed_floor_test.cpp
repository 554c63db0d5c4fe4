#include "judge/rules/speed_floor.h"

#include <gtest/gtest.h>

namespace tritonrl::judge {
namespace {

constexpr std::int64_t kElements = std::int64_t{1} << 30;  // 4 GiB of float32

// One launch that is given an input and an output; the output is returned.
program::Program one_launch() {
  program::Program out;
  out.storages.resize(2);
  for (int i = 0; i < 2; ++i) {
    out.storages[static_cast<std::size_t>(i)].bytes = 4 * kElements;
    program::Tensor tensor;
    tensor.storage = i;
    tensor.sizes = {kElements};
    tensor.strides = {1};
    out.tensors.push_back(tensor);
  }
  program::Launch launch;
  launch.variants.emplace_back();
  for (int i = 0; i < 2; ++i) {
    program::LaunchArgument argument;
    argument.value.data = program::TensorRef{i};
    launch.variants.front().arguments.push_back(argument);
  }
  program::Forward forward;
  forward.steps.emplace_back(launch);
  forward.outputs.leaf.data = program::TensorRef{1};
  out.forwards.push_back(forward);
  return out;
}

runner::LaunchReport report(double ops, int variant = 0) {
  runner::LaunchReport out;
  out.at = {runner::Section::kForward, 0, 0};
  out.variant = variant;
  out.counters.dot_ops[static_cast<std::size_t>(program::Precision::kTf32)] = ops;
  return out;
}

program::Target target() {
  program::Target out;
  out.l2_bytes = 64 << 20;
  return out;
}

TEST(SpeedFloor, OutputsMustBeWrittenAndProductsComputed) {
  const runner::DeviceFacts gpu{.name = "gpu", .uuid = "0", .bytes_per_second = 4e12, .matrix_ops_per_second = 8e14};
  const double writing = 1e6 * static_cast<double>(4 * kElements - (64 << 20)) / 4e12;
  EXPECT_DOUBLE_EQ(floor_us(one_launch(), {}, gpu, target()).value(), writing);
  EXPECT_DOUBLE_EQ(floor_us(one_launch(), {report(8e14)}, gpu, target()).value(), 1e6);
  // the cheapest configuration is the one that may have been timed
  EXPECT_DOUBLE_EQ(floor_us(one_launch(), {report(8e14), report(4e14, 1)}, gpu, target()).value(), 5e5);
}

TEST(SpeedFloor, WhatIsReturnedAsItCameNeedsNoTime) {
  const runner::DeviceFacts gpu{.name = "gpu", .uuid = "0", .bytes_per_second = 4e12, .matrix_ops_per_second = 8e14};
  program::Program program = one_launch();
  program.forwards.front().steps.clear();
  EXPECT_DOUBLE_EQ(floor_us(program, {}, gpu, target()).value(), 0);
  EXPECT_FALSE(floor_us(program, {}, {}, target()));
}

}  // namespace
}  // namespace tritonrl::judge
