#pragma once

#include <vector>

#include "program/program.h"
#include "runner/step_place.h"

namespace tritonrl::judge {

// A launch and where it stands in its program, which must outlive it.
struct PlacedLaunch {
  runner::StepPlace at;
  const program::Launch* launch = nullptr;
};

inline void append_launches(const std::vector<program::Step>& steps, runner::Section section, int forward,
                            std::vector<PlacedLaunch>& out) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (const auto* launch = std::get_if<program::Launch>(&steps[i])) {
      out.push_back({{section, forward, static_cast<int>(i)}, launch});
    }
  }
}

inline std::vector<PlacedLaunch> launches_of_last(const program::Program& program) {
  std::vector<PlacedLaunch> out;
  const int last = static_cast<int>(program.forwards.size()) - 1;
  append_launches(program.forwards.back().steps, runner::Section::kForward, last, out);
  return out;
}

}  // namespace tritonrl::judge
