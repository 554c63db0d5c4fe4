#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/material/evaluation.h"
#include "report/material/run.h"
#include "report/report.h"

namespace tritonrl::report {

// All that was read for a report.
struct Material {
  ReportOptions options;
  std::vector<Run> runs;
  std::vector<Evaluation> evaluations;

  // Those with answers: runs of reinforcement learning, then evaluations; with what they are called.
  std::vector<std::pair<std::string, const AnswerTally*>> tallies() const;
};

}  // namespace tritonrl::report
