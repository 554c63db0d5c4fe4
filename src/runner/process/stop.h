#pragma once

#include <optional>
#include <string>
#include <utility>

#include "runner/run_outcome.h"

namespace tritonrl::runner {

// Ends a run with an outcome; thrown from wherever it becomes clear.
struct Stop {
  RunOutcome::Kind kind = RunOutcome::Kind::kMalformed;
  std::string message;
  std::optional<Mismatch> mismatch = std::nullopt;
  std::optional<program::Value> answer = std::nullopt;
};

}  // namespace tritonrl::runner
