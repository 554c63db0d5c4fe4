#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "program/program.h"
#include "program/target.h"

namespace tritonrl::judge {

// A rule that a candidate's program breaks, with enough text for a person to agree.
struct Violation {
  std::string_view rule;
  std::string message;
  program::SourceLine at;  // file -1: no single line
  std::string advice;
};
using Checked = std::optional<Violation>;

// Rules on programs: what is computed, by whom, how much. Each holds the candidate's program against the reference's at
// the same sizes. "The last forward" is the one that counts: earlier ones may prepare the module.

// The inputs are the task's: as many tensors of the same types and shapes in every forward, and the same other values.
Checked check_inputs(const program::Program& reference, const program::Program& candidate);

// Outputs of the last forward lie where the reference's do: a result left on the host is none for the next module.
Checked check_output_places(const program::Program& reference, const program::Program& candidate);

// The last forward launches a kernel, and the text of every launched kernel is in the candidate's file.
Checked check_launched(const program::Program& candidate);
Checked check_kernel_in_file(const program::Program& candidate, const std::string& code);

// A launch's grid is one that the hardware takes.
Checked check_grids(const program::Program& candidate);

// ATen arithmetic takes at most the reference's modelled time, and less once rearrangements (cat, pad, flip, gather)
// are counted on both sides: less by a noticeable part, or by a whole operator. Allocations, fills, copies and casts
// are free, but for a reference that only moves data: there torch must move less of it. Nothing to compare where the
// reference does nothing at all.
Checked check_work(const program::Program& reference, const program::Program& candidate, const program::Target& target);

// Policy strict: no ATen arithmetic on tensors of more than 16 elements in the last forward.
Checked check_strict(const program::Program& candidate);

// At most eight values that depend on inputs reach the host in a forward; of others at most 64.
Checked check_questions(const program::Program& candidate);

// Tensors whose values forward makes on the host are small.
Checked check_host_constants(const program::Program& candidate);

// Two recordings of the last forward do the same: operators, kernels, grids, shapes, and which memory is which. Numbers
// that are passed to kernels may differ (seeds).
Checked check_stability(const program::Program& one, const program::Program& other);
// The same of the last two forwards of one recording.
Checked check_steady(const program::Program& candidate);

// Modelled seconds of the last forward's ATen calls, launch overheads left out.
struct AtenWork {
  double arithmetic = 0;
  double rearrangement = 0;
  double copies = 0;                     // casts too
  std::map<std::string, int> operators;  // computing calls by plain name
};
AtenWork aten_work(const program::Program& program, const program::Target& target);

}  // namespace tritonrl::judge
