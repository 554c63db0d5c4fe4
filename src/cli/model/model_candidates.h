#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/machine.h"
#include "cli/model/evaluated_model.h"
#include "cli/model/loaded_model.h"
#include "cli/model/remote_model.h"
#include "cli/model/task_facts.h"
#include "optimize/candidate.h"
#include "python/recorder.h"
#include "record/task.h"

namespace tritonrl::cli {

// How a model is asked for kernels of one module.
struct ModelCandidatesOptions {
  ModelArguments model;
  RemoteArguments remote;  // where the model is a server's address
  MachineOptions machine;
  bool strict = false;       // all arithmetic is wanted in kernels
  double temperature = 0.8;  // of all answers but the likeliest
  int max_new_tokens = 3000;
};

// A model that is asked for kernels of one module, as it was trained to be asked (model_prompt.h).
class ModelCandidates {
 public:
  // Loads it. UserError where there is no such model.
  ModelCandidates(const ModelCandidatesOptions& options, record::Task task, python::Recorder& recorder);

  // Answers `first` to `first + count`; the likeliest is number 0 and asked for alone. `over` ends it between two
  // tokens, with the answers that are finished by then.
  std::vector<optimize::Candidate> answers(int first, int count, const std::function<bool()>& over);
  // Why there are none: the module is longer than what it can read. Empty: it can be asked.
  const std::string& why_none() const { return why_none_; }

 private:
  const record::Task task_;
  EvalArguments arguments_;
  const double temperature_;
  TaskFacts facts_;
  std::unique_ptr<EvaluatedModel> model_;
  std::string why_none_;
};

}  // namespace tritonrl::cli
