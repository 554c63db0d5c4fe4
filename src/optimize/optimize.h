#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/judge.h"
#include "optimize/contest.h"
#include "optimize/options.h"
#include "optimize/subject.h"
#include "optimize/teacher_candidates.h"

namespace tritonrl::optimize {

// What the winner was judged by at sizes of a range other than those that were timed.
struct RangeProof {
  Sizes sizes;
  std::string which;  // "lowest", "inside"
  record::Verdict verdict;
  bool right() const { return verdict.kind == record::VerdictKind::kPassed; }
};

struct OptimizeTools {
  judge::Judge* judge = nullptr;
  // The teacher's candidates for the task; teacher_candidates.h.
  std::function<TeacherCandidates(const record::Task& task)> teacher;
  // Answers of a model to it, as candidates: `count` of them, from the one of that number on; 0 is its likeliest one.
  // `over` ends it early. Empty: no model is asked.
  std::function<std::vector<Candidate>(const record::Task& task, int first, int count,
                                       const std::function<bool()>& over)>
      model;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();  // of the budget of time
  std::function<bool()> stopped;                  // by the user: what is proven by then is the result
  std::function<void(const Tried&)> tried;        // for a table
  std::function<void(const RangeProof&)> proven;  // likewise
};

struct Optimized {
  std::vector<Tried> tried;           // in the order in which they were judged
  std::optional<std::size_t> winner;  // the fastest that passed everywhere
  std::vector<RangeProof> ranges;     // of the winner, or of those that failed there where there is none
  std::string no_teacher;             // why the teacher had nothing
  int repeated = 0;                   // candidates that were another's text
  int without_time = 0;               // candidates for which there was no time
  Sizes timed_sizes;                  // of the ranges: the largest
  record::Task task;                  // at these
  double seconds = 0;

  const Tried* best() const { return winner ? &tried[*winner] : nullptr; }
};

// The teacher, a search over the winner's numbers, a model, and a search once more if its answer is the fastest; all
// judged at the largest sizes of the ranges. What wins is judged at the smallest ones and at secret ones inside, each
// as a task of its own; where it fails there the next best is taken. UserError where the module must be fixed.
Optimized optimize(const Subject& subject, const OptimizeOptions& options, const OptimizeTools& tools);

}  // namespace tritonrl::optimize
