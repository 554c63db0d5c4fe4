#pragma once

#include <cstdint>
#include <string>

#include "program/program.h"
#include "runner/step_place.h"

namespace tritonrl::judge {

// What a launch of the last forward counts for.
struct LaunchStanding {
  enum class Counts : std::uint8_t { kWork, kMovesData, kNoEffect };
  runner::StepPlace at;
  program::SourceLine line;
  std::string kernel;
  Counts counts = Counts::kWork;
};

}  // namespace tritonrl::judge
