#pragma once

#include <string_view>
#include <vector>

#include "machine/code.h"
#include "machine/machine.h"

namespace tritonrl::machine {

// Gives every step whose execution says something about results (LaunchOutcome::covered) the number of its place in
// `source_file` as its mark. Returns the places by number, ascending from 1; number 0 is for all other steps. Steps of
// the prologue have none: they run whether or not a program gets to the lines that they stand in. The two sides of a
// select by arguments (run_noted_select) follow its own place: they have the next two numbers. What sends a loop round
// that hands values on has two, for the second and the third round (Step::again).
std::vector<SourcePosition> number_places(Code& code, const Module& module, std::string_view source_file);

// Runs a select between floats and notes which sides it took, in the marks behind its own. For conditions that are the
// same in all programs; what data decides is not noted.
const Step* run_noted_select(Worker& worker, const Step& step);

}  // namespace tritonrl::machine
