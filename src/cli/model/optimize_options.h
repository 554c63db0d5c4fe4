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

// Many modules in the place of one.
struct BatchArguments {
  std::string in;         // a file of JSON lines or a folder (optimize/module_list.h); empty: there is one module
  std::string files;      // folder of the results' files; empty: beside the results, by their name
  int at_once = 0;        // modules worked on; 0: one for two cores
  double stop_after = 0;  // seconds after which none is begun; 0: no end
  bool overwrite = false;
};

struct OptimizeArguments {
  optimize::SubjectRequest subject;
  BatchArguments batch;
  bool survey = false;  // --model-file: the module is looked at, and none is optimised
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
