#pragma once

#include <string>

#include "judge/modelled_program.h"
#include "judge/replay.h"

namespace tritonrl::cli {

// What a person wants to know of an executed candidate.

// Each launched kernel: where it is, how it was launched, what it moved and calculated, its modelled time and what
// bounds it.
std::string launches_text(const program::Program& program, const judge::CompiledProgram& compiled,
                          const std::vector<runner::LaunchReport>& reports, const judge::ModelledProgram& modelled);

// A finding with its kernel, the user's line and that line's text.
std::string finding_text(const program::Program& program, const judge::CompiledProgram& compiled,
                         const runner::LaunchReport& report, const machine::Finding& finding);

// Why the compiler refused a launch.
std::string compile_failure_text(const program::Program& program, const judge::CompiledProgram::Failure& failure);

}  // namespace tritonrl::cli
