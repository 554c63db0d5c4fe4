#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "base/json.h"
#include "cli/model/counted_tasks.h"
#include "cli/model/eval_options.h"
#include "cli/model/loaded_model.h"
#include "evaluate/task_set.h"
#include "generate/engine.h"

namespace tritonrl::cli {

// A model that is asked for the kernels of some tasks.
class EvaluatedModel {
 public:
  // Loads it, words all prompts. UserError if it is missing or empty: files that hold no weights, an adapter that was
  // never trained.
  // `counted`: null, or where tasks are shown under counted names.
  EvaluatedModel(const EvalArguments& arguments, std::span<const evaluate::EvaluationTask> tasks, TaskFacts& facts,
                 CountedTasks* counted);

  generate::Generator& generator() { return *engine_; }
  std::int64_t context() const;  // tokens of prompt and answer together
  const text::AskedPrompt& prompt(const std::string& task_id) const { return prompts_.at(task_id); }

 private:
  LoadedModel model_;
  std::map<std::string, text::AskedPrompt> prompts_;  // by task
  std::unique_ptr<generate::Engine> engine_;
};

// Names, sizes and times of the files that a model or adapter is: another hash, other weights. Empty where there is
// nothing of that name here.
std::string files_hash(const std::string& folder_or_file);

}  // namespace tritonrl::cli
