#include "tests/judge/test_funnel.h"

#include <cstdlib>
#include <filesystem>

#include "tests/paths.h"
#include "tests/python/test_recorder.h"
#include "tests/runner/test_runner.h"

namespace tritonrl::judge {

ReplayerOptions test_replayer_options() {
  ReplayerOptions options;
  options.recorder = python::test_recorder_options();
  options.recorder.policy.wall_ms = 12'000;
  options.recorder.policy.cpu_seconds = 9;
  options.compiler.interpreter = options.recorder.interpreter;
  options.compiler.library = options.recorder.library;
  options.compiler.policy = options.recorder.policy;
  options.compiler.cache = build_path("tests/compilations");  // as the program has it: many candidates share a kernel
  options.runner = runner::test_runner_options();
  options.device.executable =
      std::filesystem::path(options.runner.executable).replace_filename("tritonrl-device").string();
  options.device.policy = options.recorder.policy;
  return options;
}

JudgeOptions test_judge_options() {
  JudgeOptions options;
  options.seed = 20'261'115;
  if (const char* device = std::getenv("TRITONRL_TEST_DEVICE")) options.device = device;
  options.live = std::getenv("TRITONRL_TEST_LIVE") != nullptr;
  return options;
}

Funnel& test_funnel() {
  static Funnel funnel(test_replayer_options(), test_judge_options());
  return funnel;
}

}  // namespace tritonrl::judge
