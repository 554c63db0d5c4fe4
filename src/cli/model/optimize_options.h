#pragma once

#include <string>

#include "cli/judge_options.h"
#include "cli/machine.h"
#include "cli/model/loaded_model.h"
#include "cli/model/remote_model.h"
#include "optimize/options.h"
#include "optimize/subject.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

struct OptimizeArguments {
  optimize::SubjectRequest subject;
  std::string out;
  bool no_model = false, json = false, quiet = false;
  optimize::OptimizeOptions search;
  ModelArguments model;
  RemoteArguments remote;  // where --model is a server's address
  judge::JudgeOptions judge;
  CacheOptions cache;
  MachineOptions machine;

  bool asks_model() const { return !no_model && !model.model.empty(); }
};

void declare(CLI::App& command, OptimizeArguments& arguments);

// What follows from several of them. UserError for what CLI11 cannot check.
void complete(OptimizeArguments& arguments, const CLI::App& command);

}  // namespace tritonrl::cli
