#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/machine.h"
#include "cli/model/loaded_model.h"
#include "optimize/candidate.h"
#include "python/recorder.h"
#include "record/task.h"

namespace tritonrl::cli {

// How a model is asked for kernels of one module.
struct ModelCandidatesOptions {
  ModelArguments model;
  MachineOptions machine;
  bool strict = false;       // all arithmetic is wanted in kernels
  int samples = 1;           // the first is its likeliest answer, the others are drawn
  double temperature = 0.8;  // of those
  int max_new_tokens = 3000;
};

// Loads the model, asks it as it was trained to be asked (model_prompt.h), and gives its answers as candidates; `over`
// ends it between two tokens, with the answers that are finished. `why_none` is set where it cannot be asked: the
// module is longer than what it can read. UserError where there is no such model.
std::vector<optimize::Candidate> model_candidates(const ModelCandidatesOptions& options, const record::Task& task,
                                                  python::Recorder& recorder, const std::function<bool()>& over,
                                                  std::string& why_none);

// The model that comes with the program: models/embedded beside it, above it, or in the working directory. Empty: it is
// not there.
std::string shipped_model();

}  // namespace tritonrl::cli
