#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/compare.h"
#include "judge/replay.h"
#include "judge/size_search.h"
#include "program/program.h"
#include "record/task.h"
#include "runner/run_outcome.h"
#include "runner/run_request.h"

namespace tritonrl::judge {

// Calls of forward in one process, on fresh inputs: a module may prepare itself in the first.
inline constexpr int kForwards = 3;
// Where the first and a later one are enough.
inline constexpr int kFewForwards = 2;
// Where it is secret how many there are.
inline constexpr int kLeastCalls = 4, kMostCalls = 8;
inline int secret_calls(std::uint64_t secret) {
  return kLeastCalls + static_cast<int>(secret % (kMostCalls - kLeastCalls + 1));
}

// Inputs of all forwards, and what the reference makes of them.
struct Draw {
  std::string variation;       // "original", "scaled", …
  std::uint64_t seed = 0;      // of parameters and of what forward draws
  std::string not_applicable;  // why there is nothing to compare; empty: there is
  std::vector<runner::GivenInputs> inputs;
  std::vector<GivenState> state;
  std::int64_t parameter_elements = 0;                    // of the reference, where `state` is not empty
  std::vector<std::vector<runner::TensorData>> expected;  // by forward
  std::vector<std::vector<runner::TensorData>> oracle;    // the same in higher precision; empty: there is none
  std::vector<std::vector<runner::TensorData>> coarse;    // with products in TF32, under that protocol
  std::vector<std::vector<runner::TensorData>> noisy;     // with every rounding somewhat larger (RunRequest::noisy)
  std::vector<runner::Overwritten> overwritten;           // by the reference itself
  std::vector<WholeOutput> whole;                         // of a regime, by output
  // Of `parameters`, where buffers have other contents too: the same with those as they are, for candidates that make
  // them in another way.
  std::shared_ptr<Draw> without_buffers;
  // Of `parameters`: the same without what a candidate may make in another way (replaceable), where there is such.
  std::shared_ptr<Draw> without_drawn;

  Truth truth(std::size_t forward) const;
};

// A task at one size and precision, recorded and computed by the referee.
struct SizedTask {
  std::string name;  // "small", "tiny", "odd", "half", "other"
  record::Task task;
  std::string precision;     // RecordRequest::precision
  std::string first_called;  // RecordRequest::first_called
  program::Program reference;
  std::vector<Draw> draws;  // `original` of all calls that the reference has, others of kForwards at most

  int calls() const { return static_cast<int>(reference.forwards.size()); }

  const Draw* find(std::string_view variation) const;  // null: there is none
};

// All that the referee knows of a task. Immutable.
struct TaskCase {
  record::Task task;
  program::Program reference;      // at the real sizes
  double reference_record_ms = 0;  // what its recording took, the start of a process included
  double reference_seconds = 0;    // modelled, of one forward
  std::optional<SizedTask> small, tiny, odd, half;
  std::string no_small;            // why there is no size that this machine can compute
  Resizing resizing;               // of `small`
  bool other_numbers = false;      // at all sizes but the real ones get_inputs gives other plain numbers
  std::string degenerate;          // why its answers tell nothing; empty: they do
  std::vector<std::string> notes;  // worth knowing: degenerate outputs, random references
};

}  // namespace tritonrl::judge
