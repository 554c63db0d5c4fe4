#pragma once

#include <compare>
#include <cstdint>
#include <span>

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::runner {

enum class Section : std::uint8_t { kInitialise, kInputs, kForward };
std::span<const char* const> enum_names(Section);

// One step of a program: Program::initialise, or make_inputs or steps of a forward.
struct StepPlace {
  Section section = Section::kForward;
  int forward = 0;  // 0 in kInitialise
  int step = 0;     // index into the section's steps
  void fields(base::FieldVisitor& field);
  auto operator<=>(const StepPlace&) const = default;
};

}  // namespace tritonrl::runner
