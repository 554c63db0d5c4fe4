#pragma once

#include <compare>
#include <cstdint>

namespace tritonrl::runner {

enum class Section : std::uint8_t { kInitialise, kInputs, kForward };

// One step of a program: Program::initialise, or make_inputs or steps of a forward.
struct StepPlace {
  Section section = Section::kForward;
  int forward = 0;  // 0 in kInitialise
  int step = 0;     // index into the section's steps
  auto operator<=>(const StepPlace&) const = default;
};

}  // namespace tritonrl::runner
