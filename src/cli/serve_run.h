#pragma once

#include "cli/judge_options.h"
#include "cli/machine.h"
#include "serve/options.h"
#include "serve/serving.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

struct ServeArguments {
  serve::ServeOptions serve;
  judge::JudgeOptions judge;
  CacheOptions cache;
  MachineOptions machine;
  bool no_judge = false;  // a model alone
};
void declare(CLI::App& command, ServeArguments& arguments);

// Serves the judge of this machine, and what else is in `parts`, until a signal comes: then what is being judged is
// finished. The exit code. UserError for what cannot be served.
int serve_until_signal(const ServeArguments& arguments, serve::ServedParts parts);

}  // namespace tritonrl::cli
