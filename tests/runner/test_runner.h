#pragma once

#include <string>
#include <vector>

#include "program/program.h"
#include "python/recorder.h"
#include "runner/runner.h"

namespace tritonrl::runner {

// Options of a runner under test: the build's process, the best sandbox of this machine.
RunnerOptions test_runner_options();

// One warm runner for all tests of a program.
Runner& test_runner();

// Records the task's own module, its questions answered by the test runner with `seed`. Throws if it cannot be
// recorded.
program::Program record_task(const std::string& source, std::uint64_t seed = 0, int forwards = 1);

// The elements of a tensor as doubles; of float32, float64, integer and bool types.
std::vector<double> values(const TensorData& tensor);

}  // namespace tritonrl::runner
