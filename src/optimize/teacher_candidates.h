#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "optimize/candidate.h"
#include "python/expression_tracer.h"
#include "python/syntax_reader.h"
#include "record/task.h"

namespace tritonrl::optimize {

struct TeacherCandidates {
  std::vector<Candidate> candidates;  // in forms for the task's own sizes; none is another's text
  std::vector<Candidate> canonical;   // in the form that is the same for all: seldom the fastest
  std::optional<Candidate> exact;     // of exact operators alone: for networks that magnify rounding
  std::string why_none;               // where there are none
  // One of these with one kernel less each: torch computes in its place. Empty where it has one kernel alone.
  std::function<std::vector<Candidate>(const Candidate& candidate)> fewer;
};

// The teacher's solutions of a module: those that leave products and convolutions to torch and those that write them
// too (`strict`: these alone), each in the form for the task's own sizes and in the canonical one.
// UserError where the module itself does not run: it names phase, line and what to change.
TeacherCandidates teacher_candidates(const record::Task& task, bool strict, python::SyntaxReader& reader,
                                     python::ExpressionTracer& tracer);

}  // namespace tritonrl::optimize
