#pragma once

#include <optional>
#include <string>

#include "base/fields.h"
#include "cli/judge_options.h"
#include "cli/machine.h"
#include "judge/judge.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

struct WarmOptions {
  int minutes = 0;
  void fields(base::FieldVisitor& field) {
    field("warm", minutes,
          {.help = "keep the judge's processes for so many minutes after their last candidate, for the next one with "
                   "the same options (0: they end with the command)",
           .least = 0,
           .most = 1440});
  }
};
void declare(CLI::App& command, WarmOptions& options);

// The verdict of a judge that stays behind: a process of this user's that listens in a folder nobody else may enter,
// for one set of options, one build of this program and one interpreter. It is started if there is none, and ends by
// itself. UserError and InfrastructureError as judge() throws them.
record::Verdict judge_warm(const judge::Submission& submission, const judge::JudgeOptions& judge,
                           const CacheOptions& cache, const MachineOptions& machine, const WarmOptions& warm);

}  // namespace tritonrl::cli
