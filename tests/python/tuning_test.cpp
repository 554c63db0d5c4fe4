// What an autotuner does around its launches: in the first call of a key, and never again.
#include <gtest/gtest.h>

#include "program/operator_table.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

// Of each call of forward: launches as L and their number of configurations, calls of torch by name.
using Calls = std::vector<std::string>;

std::string candidate_with(const std::string& before, const std::string& tuner, const std::string& forward = "pass") {
  return "import torch\nimport triton\nimport triton.language as tl\n" + before +
         "\n@triton.autotune(configs=" + tuner +
         ")\n@triton.jit\ndef add(x, y, n, BLOCK: tl.constexpr):\n"
         "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
         "    tl.store(y + at, tl.load(x + at, mask=at < n) + 1, mask=at < n)\n"
         "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        y = torch.empty_like(x)\n"
         "        add[(1,)](x, y, x.numel())\n        " +
         forward + "\n        return y\n";
}

Calls calls_of(const RecordOutcome& outcome) {
  if (!outcome.program) return {to_string(outcome.kind) + ": " + outcome.message};
  Calls out;
  for (const program::Forward& forward : outcome.program->forwards) {
    std::string& text = out.emplace_back();
    for (const program::Step& step : forward.steps) {
      if (!text.empty()) text += " ";
      if (const auto* launch = std::get_if<program::Launch>(&step)) {
        text += "L" + std::to_string(launch->variants.size());
      } else if (const auto* call = std::get_if<program::AtenCall>(&step)) {
        text += std::string(program::plain_name(call->op));
      }
    }
  }
  return out;
}

Calls recorded(const std::string& candidate, int forwards = 2) {
  RecordRequest request = candidate_request(kPlainTask, candidate);
  request.forwards = forwards;
  return calls_of(test_recorder().record(request));
}

const std::string kTwo = "[triton.Config({'BLOCK': 128}), triton.Config({'BLOCK': 256})], key=['n']";
const std::string kZero = "def zeroed(given):\n    given['y'].zero_()\n";

TEST(Tuning, TheFirstCallOfAKeyLaunchesTwice) {
  EXPECT_EQ(recorded(candidate_with("", kTwo)), (Calls{"empty_like L2 L2", "empty_like L2"}));
  EXPECT_EQ(recorded(candidate_with("", kTwo + ", reset_to_zero=['y']")),
            (Calls{"empty_like zero L2 zero L2", "empty_like L2"}));
  EXPECT_EQ(recorded(candidate_with("", kTwo + ", restore_value=['y']")),
            (Calls{"empty_like clone L2 copy L2", "empty_like L2"}));
}

TEST(Tuning, OneConfigurationIsNotTuned) {
  EXPECT_EQ(recorded(candidate_with("", "[triton.Config({'BLOCK': 128})], key=['n'], reset_to_zero=['y']")),
            (Calls{"empty_like L1", "empty_like L1"}));
}

TEST(Tuning, OneCallAloneIsWhatCallsAreLater) {
  EXPECT_EQ(recorded(candidate_with("", kTwo + ", reset_to_zero=['y']"), 1), (Calls{"empty_like L2"}));
}

TEST(Tuning, PruningHappensOnceAKey) {
  const std::string prune = "def pruned(configs, given, **rest):\n    given['y'].zero_()\n    return configs[1:]\n";
  EXPECT_EQ(recorded(candidate_with(prune, kTwo + ", prune_configs_by={'early_config_prune': pruned}")),
            (Calls{"empty_like zero L1 L1", "empty_like L1"}));
}

TEST(Tuning, HooksOfConfigurationsRunInEachCall) {
  const std::string both =
      "[triton.Config({'BLOCK': 128}, pre_hook=zeroed), triton.Config({'BLOCK': 256}, pre_hook=zeroed)], key=['n']";
  EXPECT_EQ(recorded(candidate_with(kZero, both)), (Calls{"empty_like zero L2 zero L2", "empty_like zero L2"}));
}

TEST(Tuning, HooksThatDifferOrAreTheTunersOwnAreNotRecordable) {
  const std::string one = "[triton.Config({'BLOCK': 128}, pre_hook=zeroed), triton.Config({'BLOCK': 256})], key=['n']";
  for (const std::string& tuner : {one, kTwo + ", post_hook=lambda given, exception: None",
                                   kTwo + ", pre_hook=lambda given, reset_only=False: given['y'].zero_()"}) {
    const Calls calls = recorded(candidate_with(kZero, tuner));
    ASSERT_EQ(calls.size(), 1U) << tuner;
    EXPECT_TRUE(calls.front().starts_with("not_recordable: an autotuner")) << calls.front();
  }
}

TEST(FirstCalled, TheFirstCallGetsInputsOfAnotherSize) {
  RecordRequest request = task_request(kPlainTask);
  request.forwards = 3;
  request.first_called = request.task.source;
  request.first_called.replace(request.first_called.find("(8, 16)"), 7, "(3, 5)");
  const RecordOutcome outcome = test_recorder().record(request);
  ASSERT_TRUE(outcome.program) << outcome.message;
  std::vector<std::vector<std::int64_t>> sizes;
  for (const program::Forward& forward : outcome.program->forwards) {
    const auto& call = std::get<program::AtenCall>(forward.steps.back());
    const auto* made = call.result.get_if<program::TensorRef>();
    sizes.push_back(outcome.program->tensors[static_cast<std::size_t>(made->index)].sizes);
  }
  EXPECT_EQ(sizes, (std::vector<std::vector<std::int64_t>>{{3, 5}, {8, 16}, {8, 16}}));
}

TEST(FirstCalled, WhatTheModuleRefusesIsNotRecorded) {
  RecordRequest request = task_request(
      "import torch\nclass Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
      "        self.linear = torch.nn.Linear(16, 4)\n    def forward(self, x):\n        return self.linear(x)\n"
      "def get_inputs():\n    return [torch.rand(8, 16)]\n");
  request.forwards = 2;
  request.first_called = "import torch\ndef get_inputs():\n    return [torch.rand(8, 12)]\n";
  EXPECT_EQ(test_recorder().record(request).kind, RecordOutcome::Kind::kRaised);
}

}  // namespace
}  // namespace tritonrl::python
