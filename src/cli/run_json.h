#pragma once

#include <string>

#include "judge/compare.h"
#include "judge/modelled_program.h"
#include "judge/replay.h"

namespace tritonrl::cli {

// What `tritonrl run --json` tells; the pointers are borrowed.
struct RunReport {
  std::string target;
  bool sampled = false;
  const judge::Replayer::Replay* replay = nullptr;  // completed
  const judge::ModelledProgram* modelled = nullptr;
  double reference_seconds = 0;                   // modelled
  const judge::Comparison* comparison = nullptr;  // null: outputs were not compared
};

// One object: target, sampled, launches (kernel, grid, counters, resources, modelled_seconds, findings), modelled,
// outputs.
std::string run_json(const RunReport& report);

}  // namespace tritonrl::cli
