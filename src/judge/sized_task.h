#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/replay.h"
#include "judge/task_case.h"

namespace tritonrl::judge {

// What to compute of a task at one size.
struct SizedRequest {
  std::string name;
  record::Task task;
  std::string precision;
  std::string first_called;  // as SizedTask has it
  const program::Target* target = nullptr;
  std::uint64_t seed = 0;               // further seeds follow from it
  std::vector<std::string> variations;  // those made by values: original, scaled, seed, signed, parameters
  int calls = kForwards;                // of forward, as SizedTask has them
  bool tf32 = false;                    // Draw::coarse too
  bool fresh_inputs = true;             // of each forward; else all forwards get those of the first
};

struct SizedOutcome {
  std::optional<SizedTask> made;
  std::string why;  // there is none: the reference does not run there
};

// Records and computes the reference at each of these, side by side.
std::vector<SizedOutcome> make_sized_tasks(Replayer& replayer, const std::vector<SizedRequest>& requests);

// Of the tolerance: how far a reference may be from its own oracle.
inline constexpr double kOracleExcess = 10;

}  // namespace tritonrl::judge
