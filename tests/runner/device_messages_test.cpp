// What is asked of a process on the GPU and what it answers: what goes in comes out, and what is no answer is refused.
#include "runner/device_messages.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/fields.h"

namespace tritonrl::runner {
namespace {

template <typename T>
T again(const T& message) {
  const base::Result<T> read = base::from_json<T>(base::to_json(message).dump(), "message");
  EXPECT_TRUE(read.ok()) << read.error();
  return read.ok() ? read.value() : T{};
}

TEST(DeviceMessages, SurviveTheWire) {
  const SharedTensor tensor{.bytes = 64, .sizes = {4, 4}, .dtype = 6};
  const RunOrder order = again(
      RunOrder{.seed = std::numeric_limits<std::uint64_t>::max(), .tune = true, .inputs = {tensor}, .outputs = {}});
  EXPECT_EQ(order.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(order.tune);
  ASSERT_EQ(order.inputs.size(), 1u);
  EXPECT_EQ(order.inputs[0].sizes, tensor.sizes);
  EXPECT_EQ(order.inputs[0].dtype, 6);

  EXPECT_EQ(again(DrawAnswer{.not_applicable = "why", .inputs = {}, .outputs = {tensor}}).not_applicable, "why");
  const RunAnswer ran =
      again(RunAnswer{.broken_fences = 3, .tuned = {{.at = {Section::kForward, 0, 7}, .variant = 2}}});
  EXPECT_EQ(ran.broken_fences, 3);
  EXPECT_EQ(ran.tuned.at(0).at, (StepPlace{Section::kForward, 0, 7}));
  EXPECT_EQ(ran.tuned[0].variant, 2);

  const CompareOrder comparison{.outputs = {{program::DType::kBFloat16, 1e-2, 1e-3}}, .tf32 = true};
  EXPECT_TRUE(again(comparison).tf32);
  const auto tolerance = again(comparison).outputs.at(0);
  EXPECT_EQ(tolerance.dtype, program::DType::kBFloat16);
  EXPECT_EQ(tolerance.rtol, 1e-3);
  const auto compared =
      again(CompareAnswer{.outputs = {{.wrong = 5, .max_error = std::nan(""), .first = 9}}}).outputs.at(0);
  EXPECT_EQ(compared.wrong, 5);
  EXPECT_EQ(compared.first, 9);
  EXPECT_TRUE(std::isnan(compared.max_error));

  DeviceTimingOptions timing;
  timing.secret = 7;
  timing.reference_us = 12.5;
  EXPECT_EQ(again(timing).secret, 7u);
  EXPECT_EQ(again(timing).reference_us, 12.5);
  DeviceTimes times;
  times.reference_us = {1, 2.5};
  times.hidden = 4;
  EXPECT_EQ(again(times).reference_us, times.reference_us);
  EXPECT_EQ(again(times).hidden, 4);
  EXPECT_EQ(again(DeviceFacts{.name = "GPU", .uuid = "ab", .bytes_per_second = 1e12}).bytes_per_second, 1e12);
  EXPECT_EQ(again(DeviceDraw{.variation = "seed", .seed = 3}).variation, "seed");
}

TEST(DeviceMessages, CarryTheOutcomeBesideTheBody) {
  RunOutcome outcome;
  outcome.kind = RunOutcome::Kind::kMismatch;
  outcome.message = "other strides";
  outcome.at = StepPlace{Section::kInputs, 1, 2};
  outcome.mismatch = Mismatch{true, {{1, 4}, {}}};
  base::Json body = base::to_json(outcome);
  body.update(base::to_json(RunAnswer{.broken_fences = 8, .tuned = {}}));
  RunOutcome read;
  base::read_fields(body, read);
  EXPECT_EQ(read.kind, outcome.kind);
  EXPECT_EQ(read.message, outcome.message);
  EXPECT_EQ(read.at, outcome.at);
  EXPECT_EQ(read.mismatch->strides, outcome.mismatch->strides);
  EXPECT_EQ(again(RunAnswer{.broken_fences = 8, .tuned = {}}).broken_fences, 8);
}

TEST(DeviceMessages, OfAnotherFormAreRefused) {
  for (const char* text :
       {"[]", "{}", R"({"kind":"won","message":""})", R"({"kind":0})", R"({"kind":"fault","at":[2,0,0]})",
        R"({"kind":"fault","at":{"section":"end","forward":0,"step":0}})"}) {
    EXPECT_FALSE(base::from_json<RunOutcome>(text, "outcome").ok()) << text;
  }
  EXPECT_FALSE(base::from_json<CompareOrder>(R"({"outputs":[{"dtype":"float31","atol":1,"rtol":1}]})", "order").ok());
  EXPECT_FALSE(base::from_json<RunAnswer>(R"({"broken_fences":"0","tuned":[]})", "answer").ok());
  EXPECT_FALSE(base::from_json<DeviceTimes>(R"({"reference_us":[1,"2"],"candidate_us":[]})", "times").ok());
}

}  // namespace
}  // namespace tritonrl::runner
