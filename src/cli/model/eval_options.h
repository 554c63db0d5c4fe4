#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/judge_options.h"
#include "cli/machine.h"
#include "cli/model/loaded_model.h"
#include "cli/model/remote_model.h"
#include "evaluate/evaluate.h"
#include "text/prompt.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

struct EvalArguments {
  ModelArguments model;
  RemoteArguments remote;  // where --model is a server's address
  std::string answers;     // a file, in place of a model
  evaluate::TaskOptions tasks;
  std::optional<std::uint64_t> task_seed;  // of the draw of tasks; none: the seed of the run
  evaluate::EvaluateOptions run;
  generate::SamplingOptions sampling;
  std::optional<double> temperature;
  int slots = 32;
  text::PromptOptions prompt;
  text::AskOptions ask;
  judge::JudgeOptions judge;
  CacheOptions cache;
  MachineOptions machine;
  std::string out, name;
  std::string kernelbench_results;  // folder; empty: none are written
  std::string from_results;         // a file whose results go there: nothing is evaluated
  bool overwrite = false, json = false, quiet = false;
  std::vector<std::filesystem::path> compare;  // files: nothing is evaluated
};

void declare(CLI::App& command, EvalArguments& arguments);

// The folder whose prompt.json holds, if it has one: of the adapter, the model, or a server's tokenizer.
const std::string& prompt_folder(const EvalArguments& arguments);

// What follows from several of them: the seed of the tasks, the temperature, the name and file of the results.
// UserError for what CLI11 cannot check.
void complete(EvalArguments& arguments);

}  // namespace tritonrl::cli
